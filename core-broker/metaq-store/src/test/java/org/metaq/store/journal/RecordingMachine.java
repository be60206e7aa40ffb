package org.metaq.store.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A state machine whose state is the list of what was applied, as text. */
final class RecordingMachine implements StateMachine {
    /** Result of a record: what it said. */
    record Said(String text) implements Result {}

    final List<String> applied = new ArrayList<>();
    final List<Position> positions = new ArrayList<>();
    final List<Batch> batches = new ArrayList<>();
    ByteBuffer restoredState = ByteBuffer.allocate(0);

    @Override
    public List<Result> apply(Position first, Batch batch) {
        List<Result> results = new ArrayList<>();
        for (JournalRecord record : batch.records()) {
            String text = StandardCharsets.ISO_8859_1.decode(record.body().duplicate()).toString();
            applied.add(text);
            results.add(new Said(text));
        }
        positions.add(first);
        batches.add(new Batch(batch.epoch(), batch.timeMs(), List.of()));
        return results;
    }

    @Override
    public Checkpoint cut() {
        throw new UnsupportedOperationException("tests make their checkpoints themselves");
    }

    @Override
    public void restore(ByteBuffer state, Position at) {
        applied.clear();
        positions.clear();
        batches.clear();
        restoredState = state;
    }
}
