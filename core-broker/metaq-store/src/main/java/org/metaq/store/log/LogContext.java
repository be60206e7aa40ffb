package org.metaq.store.log;

import org.metaq.store.io.StoreDirectory;

/**
 * What the partition logs and spill files of one broker share: the directory, the open files, the
 * write buffers and the memory for cached index pages. So ten thousand logs cost no more buffers
 * and file handles than the few that are in use. Given to the logs when they are opened; buffers
 * and pages are confined to the writer thread, open files are thread-safe.
 */
public final class LogContext implements AutoCloseable {
    private final StoreDirectory directory;
    private final LogOptions options;
    private final OpenFiles openFiles;
    private final BufferPool buffers;
    private final PageBudget pages;

    /** For the logs below one directory. */
    public LogContext(StoreDirectory directory, LogOptions options) {
        this(
                directory,
                options,
                new OpenFiles(options.openFilesMax()),
                new BufferPool(options.bufferLengthBytes(), options.bufferCountMax()),
                new PageBudget(options.cachedLogsMax()));
    }

    private LogContext(
            StoreDirectory directory,
            LogOptions options,
            OpenFiles openFiles,
            BufferPool buffers,
            PageBudget pages) {
        this.directory = directory;
        this.options = options;
        this.openFiles = openFiles;
        this.buffers = buffers;
        this.pages = pages;
    }

    /** For logs with other segments that share all the rest with these. */
    public LogContext withSegmentLengthMaxBytes(long bytes) {
        return new LogContext(
                directory, options.withSegmentLengthMaxBytes(bytes), openFiles, buffers, pages);
    }

    /** Where the logs live. */
    public StoreDirectory directory() {
        return directory;
    }

    /** Their limits. */
    public LogOptions options() {
        return options;
    }

    /** Files that are kept open now, &lt;= {@link LogOptions#openFilesMax}. Any thread. */
    public int openFileCount() {
        return openFiles.count();
    }

    /** Closes every file that no reader holds. Writer thread; the logs must not be used after. */
    @Override
    public void close() {
        openFiles.closeAll();
    }

    SharedFile file(String path) {
        return new SharedFile(directory, openFiles, path);
    }

    BufferPool buffers() {
        return buffers;
    }

    PageBudget pages() {
        return pages;
    }
}
