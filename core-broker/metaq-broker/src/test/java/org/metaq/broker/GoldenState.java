package org.metaq.broker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.metaq.store.journal.JournalOptions;

/** Data directories that older releases left, among the test's resources. */
final class GoldenState {
    private GoldenState() {}

    /**
     * Unpacks {@code formats/state/<name>.zip}.
     *
     * @return version of the state in its only checkpoint
     */
    static int unpack(String name, Path root) throws IOException {
        String resource = "/formats/state/" + name + ".zip";
        try (InputStream in = GoldenState.class.getResourceAsStream(resource);
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path path = root.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else {
                    Files.createDirectories(path.getParent());
                    Files.copy(zip, path);
                }
            }
        }
        try (Stream<Path> checkpoints = Files.list(root.resolve("checkpoints"))) {
            Path state = checkpoints.findFirst().orElseThrow().resolve("state");
            return ByteBuffer.wrap(Files.readAllBytes(state)).getInt();
        }
    }

    /** A broker with the small journal that keeps the archives small. */
    static TestBroker broker(Path root, BrokerConfig config) {
        return new TestBroker(root, config) {
            @Override
            JournalOptions journal() {
                return JournalOptions.DEFAULT.withLengths(1 << 16, 1 << 18);
            }
        };
    }
}
