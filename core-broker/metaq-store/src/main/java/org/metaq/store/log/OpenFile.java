package org.metaq.store.log;

import java.util.concurrent.atomic.AtomicInteger;
import org.metaq.store.io.StoreFile;

/**
 * A file that is closed when the last of those who hold it lets go. The table of open files holds
 * it once, each reader once more. A holder that is lost without letting go costs nothing but time:
 * the channel below closes itself when it is garbage. Thread-safe: the count is atomic.
 */
final class OpenFile {
    private final SharedFile owner;
    private final StoreFile file;
    // One for the table of open files and one for whoever opened it.
    private final AtomicInteger holderCount = new AtomicInteger(2);
    // Set by users, cleared by the table on its round; a lost update only costs a reopening.
    private volatile boolean isRecentlyUsed;

    OpenFile(SharedFile owner, StoreFile file) {
        this.owner = owner;
        this.file = file;
    }

    StoreFile file() {
        return file;
    }

    SharedFile owner() {
        return owner;
    }

    /** Holds it once more; false if it is closed. */
    boolean retain() {
        int count = holderCount.get();
        while (count > 0) {
            if (holderCount.compareAndSet(count, count + 1)) {
                if (!isRecentlyUsed) {
                    isRecentlyUsed = true;
                }
                return true;
            }
            count = holderCount.get();
        }
        return false;
    }

    /** Lets go; the last one closes the file. */
    void release() {
        if (holderCount.decrementAndGet() == 0) {
            file.close();
        }
    }

    /** Whether it was used since the last call. */
    boolean pollRecentlyUsed() {
        boolean used = isRecentlyUsed;
        isRecentlyUsed = false;
        return used;
    }
}
