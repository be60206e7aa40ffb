package org.metaq.store.log;

import java.util.List;
import org.metaq.store.io.FileLength;

/**
 * The files of a log or spill file as they were at one moment, for a checkpoint. Made by the
 * writer, which goes on appending; forced by another thread.
 */
public final class LogCut {
    private final List<FileLength> files;
    private final Runnable force;

    LogCut(List<FileLength> files, Runnable force) {
        this.files = List.copyOf(files);
        this.force = force;
    }

    /** Every file and its length at the cut; a restart must cut them to it. */
    public List<FileLength> files() {
        return files;
    }

    /**
     * Makes the files durable up to their lengths, those that changed since they were last forced.
     * Any one thread, also when the log was closed meanwhile.
     *
     * @throws org.metaq.store.StoreException if the disk fails; the cut must then not be used
     */
    public void force() {
        force.run();
    }
}
