package org.metaq.store.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.metaq.store.StoreException;

/** A file of the real disk. One thread writes, any may read. */
final class DiskFile implements StoreFile {
    private static final int ZEROES_LENGTH = 1024 * 1024;
    private static final ByteBuffer ZEROES =
            ByteBuffer.allocateDirect(ZEROES_LENGTH).asReadOnlyBuffer();

    private final Path root;
    private final Path file;
    private final String path;

    /** Written under the monitor when an interrupt closed it; read by every thread's calls. */
    private volatile FileChannel channel;

    private volatile boolean isClosed;

    private DiskFile(Path root, Path file, String path, FileChannel channel) {
        this.root = root;
        this.file = file;
        this.path = path;
        this.channel = channel;
    }

    static DiskFile open(Path root, Path file, String path) {
        try {
            FileChannel channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            return new DiskFile(root, file, path, channel);
        } catch (IOException e) {
            throw DiskDirectory.failure("open", file, root, e);
        }
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public long length() {
        return call("ask for the length of", FileChannel::size);
    }

    @Override
    public int read(ByteBuffer to, long position) {
        int start = to.position();
        return (int)
                call(
                        "read",
                        open -> {
                            to.position(start);
                            while (to.hasRemaining()) {
                                long at = position + to.position() - start;
                                if (open.read(to, at) < 0) {
                                    break;
                                }
                            }
                            return (long) to.position() - start;
                        });
    }

    @Override
    public void write(ByteBuffer from, long position) {
        int start = from.position();
        call(
                "write",
                open -> {
                    from.position(start);
                    while (from.hasRemaining()) {
                        open.write(from, position + from.position() - start);
                    }
                    return (long) from.position() - start;
                });
    }

    @Override
    public void write(ByteBuffer[] from, long position) {
        int[] starts = new int[from.length];
        long total = 0;
        for (int i = 0; i < from.length; i++) {
            starts[i] = from[i].position();
            total += from[i].remaining();
        }
        long length = total;
        call(
                "write",
                open -> {
                    for (int i = 0; i < starts.length; i++) {
                        from[i].position(starts[i]);
                    }
                    // The channel's own position is the writer's alone: reads are positional.
                    open.position(position);
                    long written = 0;
                    while (written < length) {
                        written += open.write(from);
                    }
                    return written;
                });
    }

    @Override
    public void force(boolean metadata) {
        call(
                "force",
                open -> {
                    open.force(metadata);
                    return 0L;
                });
    }

    @Override
    public void truncate(long length) {
        call(
                "truncate",
                open -> {
                    if (open.size() > length) {
                        open.truncate(length);
                    }
                    return 0L;
                });
    }

    @Override
    public void preallocate(long length) {
        call(
                "preallocate " + length + " bytes of",
                open -> {
                    // Written, not only made longer: a hole would get its blocks at the first
                    // write, which then may find the disk full and costs a metadata write.
                    long position = open.size();
                    while (position < length) {
                        int step = (int) Math.min(ZEROES_LENGTH, length - position);
                        position += open.write(ZEROES.duplicate().limit(step), position);
                    }
                    open.force(true);
                    return position;
                });
    }

    @Override
    public FileChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        isClosed = true;
        try {
            channel.close();
        } catch (IOException e) {
            throw DiskDirectory.failure("close", file, root, e);
        }
    }

    /** Runs an action that may be repeated from its start on a channel that was opened again. */
    private long call(String what, ChannelAction action) {
        boolean wasInterrupted = false;
        try {
            while (true) {
                FileChannel open = channel;
                try {
                    return action.run(open);
                } catch (ClosedChannelException e) {
                    wasInterrupted |= Thread.interrupted();
                    reopen(what, open, e);
                }
            }
        } catch (IOException e) {
            throw DiskDirectory.failure(what, file, root, e);
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void reopen(String what, FileChannel closed, ClosedChannelException why)
            throws IOException {
        if (isClosed) {
            throw new StoreException(
                    StoreException.Kind.IO, "cannot " + what + " " + file + ": it is closed", why);
        }
        if (channel == closed) {
            channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        }
    }

    private interface ChannelAction {
        long run(FileChannel channel) throws IOException;
    }
}
