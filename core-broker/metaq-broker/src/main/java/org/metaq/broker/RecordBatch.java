package org.metaq.broker;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.metaq.broker.state.Applied;
import org.metaq.broker.state.RecordType;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.ErrorCode;
import org.metaq.store.journal.Batch;
import org.metaq.store.journal.JournalRecord;
import org.metaq.store.journal.JournalRecord.Need;
import org.metaq.store.journal.Result;

/** Records on their way to the journal, and who waits for each. Confined to the writer thread. */
final class RecordBatch {
    private static final int CAPACITY = 64 * 1024;
    private static final int CAPACITY_KEPT = 4 * 1024 * 1024;

    private BodyWriter bytes = new BodyWriter(CAPACITY);
    private final List<RecordType> types = new ArrayList<>();
    private final List<Need> needs = new ArrayList<>();
    private final List<Integer> ends = new ArrayList<>();
    private List<Consumer<Applied>> completions = new ArrayList<>();

    boolean isEmpty() {
        return types.isEmpty();
    }

    /** Bytes of the bodies so far. */
    int length() {
        return bytes.length();
    }

    /** Where the body of the next record is written; {@link #add} ends it. */
    BodyWriter body() {
        return bytes;
    }

    /**
     * Ends a record whose body was written since the last call.
     *
     * @param completion gets what applying it gave; on the writer thread
     */
    void add(RecordType type, Need need, Consumer<Applied> completion) {
        types.add(type);
        needs.add(need);
        ends.add(bytes.length());
        completions.add(completion);
    }

    /** The records as a batch; valid until {@link #clear}. */
    Batch build(long epoch, long timeMs) {
        ByteBuffer all = bytes.toBuffer();
        List<JournalRecord> records = new ArrayList<>(types.size());
        int start = 0;
        for (int i = 0; i < types.size(); i++) {
            int end = ends.get(i);
            records.add(
                    new JournalRecord(
                            types.get(i).code(), all.slice(start, end - start), needs.get(i)));
            start = end;
        }
        return new Batch(epoch, timeMs, records);
    }

    /** Hands over who waits and starts anew. */
    List<Consumer<Applied>> takeCompletions() {
        List<Consumer<Applied>> taken = completions;
        completions = new ArrayList<>();
        return taken;
    }

    /** Forgets the records; only after they are applied, since {@link #build} shares the bytes. */
    void clear() {
        types.clear();
        needs.clear();
        ends.clear();
        if (bytes.length() > CAPACITY_KEPT) {
            bytes = new BodyWriter(CAPACITY);
        }
        bytes.clear();
    }

    static void complete(List<Consumer<Applied>> waiting, List<Result> results) {
        for (int i = 0; i < waiting.size(); i++) {
            waiting.get(i).accept((Applied) results.get(i));
        }
    }

    static void fail(List<Consumer<Applied>> waiting, ErrorCode code, String text) {
        Applied refused = new Applied.Refused(code, text);
        waiting.forEach(completion -> completion.accept(refused));
    }
}
