package org.metaq.store.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.metaq.store.io.CountingDirectory;
import org.metaq.store.io.DiskDirectory;
import org.metaq.store.journal.JournalRecord.Need;

/** A journal on a temporary directory, started, with the machine that it drives. */
final class JournalFixture implements AutoCloseable {
    static final JournalOptions SMALL = JournalOptions.DEFAULT.withLengths(8192, 1 << 20);

    final CountingDirectory directory;
    final RecordingMachine machine = new RecordingMachine();
    final FileJournal journal;
    final List<Role> roles = new ArrayList<>();
    long nowNs;

    JournalFixture(Path root, JournalOptions options, RestorePoint restorePoint) {
        directory = new CountingDirectory(DiskDirectory.open(root));
        journal = new FileJournal(directory, options, restorePoint);
    }

    static JournalFixture start(Path root) {
        return start(root, SMALL, RestorePoint.NEW);
    }

    static JournalFixture start(Path root, JournalOptions options, RestorePoint restorePoint) {
        JournalFixture fixture = new JournalFixture(root, options, restorePoint);
        boolean isStarted = false;
        try {
            fixture.journal.start(fixture.machine, fixture.roles::add);
            isStarted = true;
        } finally {
            if (!isStarted) {
                fixture.close();
            }
        }
        fixture.directory.writes = 0;
        fixture.directory.forces = 0;
        return fixture;
    }

    long epoch() {
        return ((Role.Leading) roles.get(0)).epoch();
    }

    Receipt append(Need need, String... bodies) throws BusyException {
        return journal.append(batch(epoch(), need, bodies));
    }

    /** Appends one batch and does one turn. */
    void write(Need need, String... bodies) throws BusyException {
        append(need, bodies);
        work();
    }

    int work() {
        return journal.doWork(nowNs);
    }

    static Batch batch(long epoch, Need need, String... bodies) {
        List<JournalRecord> records = new ArrayList<>();
        for (String body : bodies) {
            ByteBuffer bytes = ByteBuffer.wrap(body.getBytes(StandardCharsets.ISO_8859_1));
            records.add(new JournalRecord((short) 7, bytes, need));
        }
        return new Batch(epoch, 1000, records);
    }

    /** A checkpoint that is finished. */
    static Checkpoint checkpoint(long entry) {
        return new Checkpoint() {
            @Override
            public Position at() {
                return new Position(entry, 0);
            }

            @Override
            public void finish() {
                throw new UnsupportedOperationException("finished already");
            }
        };
    }

    static RestorePoint restorePoint(long entry) {
        return new RestorePoint(new Position(entry, 0), 0, ByteBuffer.allocate(0));
    }

    static List<String> files(Path root, String ending) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("journal"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    static Path segment(Path root, long firstEntry) {
        return root.resolve(new Segments.Segment(firstEntry, 0).path());
    }

    /** Copies the data directory as a crash would leave it. */
    static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.resolve("journal"));
        try (Stream<Path> files = Files.list(from.resolve("journal"))) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve("journal").resolve(file.getFileName()));
            }
        }
    }

    @Override
    public void close() {
        journal.close();
    }
}
