package org.metaq.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;
import org.metaq.store.StoreException;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.io.StoreFile;

/**
 * The name of a data directory, given once: by it clients know whether two connections reach the
 * same branches, whatever addresses they came by.
 */
final class StoreId {
    static final String FILE = "store-id";
    private static final String NEW_FILE = "store-id.new";
    private static final Pattern FORM = Pattern.compile("[0-9a-f-]{36}");

    private StoreId() {}

    /**
     * The directory's id; makes one, durably, if there is none yet. The caller has locked the
     * directory.
     *
     * @throws StoreException CORRUPT if the file holds something else
     */
    static String of(StoreDirectory directory) {
        if (!directory.exists(FILE)) {
            write(directory, UUID.randomUUID().toString());
        }
        try (StoreFile file = directory.open(FILE)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(100, file.length()));
            file.read(bytes, 0);
            String id = StandardCharsets.US_ASCII.decode(bytes.flip()).toString().strip();
            if (!FORM.matcher(id).matches()) {
                throw new StoreException(
                        StoreException.Kind.CORRUPT,
                        file.path()
                                + " must hold a UUID, not '"
                                + id
                                + "': restore it from a backup, or delete it when no transaction"
                                + " is in doubt");
            }
            return id;
        }
    }

    private static void write(StoreDirectory directory, String id) {
        try (StoreFile file = directory.open(NEW_FILE)) {
            file.truncate(0);
            file.write(ByteBuffer.wrap((id + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
            file.force(true);
        }
        directory.rename(NEW_FILE, FILE);
        directory.forceDirectory("");
    }
}
