package org.metaq.soak;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.exceptions.ObjectStoreException;
import com.arjuna.ats.arjuna.state.OutputObjectState;
import com.arjuna.ats.internal.arjuna.objectstore.ShadowNoFileLockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Narayana's default store, but for how it writes an entry anew, which it does when a part of a
 * decided transaction is not finished: it truncates the file and then writes it, so that a process
 * that is killed between loses the decision. This one writes another file and renames it.
 */
public final class ReplacingStore extends ShadowNoFileLockStore {
    private final Path newFiles;

    /** Made by Narayana, by name. */
    public ReplacingStore(ObjectStoreEnvironmentBean configuration) throws ObjectStoreException {
        super(configuration);
        newFiles = Path.of(configuration.getObjectStoreDir()).resolveSibling("new-entries");
    }

    @Override
    protected boolean write_state(Uid uid, String type, OutputObjectState state, int kind)
            throws ObjectStoreException {
        Path entry = Path.of(genPathName(uid, type, kind));
        try {
            Files.createDirectories(newFiles);
            Files.createDirectories(Objects.requireNonNull(entry.getParent()));
            Path file = Files.createTempFile(newFiles, "entry", null);
            try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(state.buffer(), 0, state.length());
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(file, entry, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new ObjectStoreException("writing " + entry, e);
        }
        addToCache(entry.toString());
        return true;
    }
}
