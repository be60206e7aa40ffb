package org.metaq.store.log;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.metaq.store.StoreException;
import org.metaq.store.io.FileLength;
import org.metaq.store.io.StoreDirectory;

/**
 * The files of a log or spill file as they were at one moment, for a checkpoint. Made by the
 * writer, which goes on appending; forced by another thread.
 */
public final class LogCut {
    private final List<FileLength> files;
    private final boolean isChanged;
    private final Runnable force;

    /**
     * A cut.
     *
     * @param isChanged whether there is anything to force
     */
    LogCut(List<FileLength> files, boolean isChanged, Runnable force) {
        this.files = List.copyOf(files);
        this.isChanged = isChanged;
        this.force = force;
    }

    /**
     * Forces cuts, several at the same time where the directory gains by that; a thread of its own
     * for each of those, for as long as it takes.
     *
     * @param directory that they are of
     * @throws org.metaq.store.StoreException if the disk fails; the cuts must then not be used
     */
    public static void forceAll(StoreDirectory directory, List<LogCut> cuts) {
        List<LogCut> changed = cuts.stream().filter(cut -> cut.isChanged).toList();
        int threads = Math.min(directory.forcesAtOnce(), changed.size());
        if (threads < 2) {
            changed.forEach(LogCut::force);
            return;
        }
        ExecutorService pool = Executors.newFixedThreadPool(threads, LogCut::thread);
        try {
            CompletableFuture<?>[] forced =
                    changed.stream()
                            .map(cut -> CompletableFuture.runAsync(cut::force, pool))
                            .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(forced).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            throw e;
        } finally {
            pool.shutdown();
        }
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "metaq-force");
        thread.setDaemon(true);
        return thread;
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
