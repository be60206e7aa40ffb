package org.metaq.store.log;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.metaq.store.StoreException;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.io.StoreFile;

/**
 * Copies of segments that left their log, under MetaQ's names in the log's directory. A copy is
 * whole and durable before its segment goes: it is written under another name, forced and renamed.
 * So a crash at any point leaves the segment, or the copy, or both; and as it is a file of its own,
 * nothing that a restart does to the segment touches it.
 *
 * <pre>
 * &lt;path&gt;/00000000000000000000.arc        the bytes of 00000000000000000000.meta
 * &lt;path&gt;/00000000000000000000.zip        holds 00000000000000000000.meta
 * &lt;path&gt;/00000000000000000000.arc.tmp    not finished; a restart deletes it
 * </pre>
 */
public final class SegmentArchive {
    /** How a segment is kept. */
    public enum Format {
        /** As it is. */
        PLAIN(".arc"),
        /** Packed. */
        ZIP(".zip");

        private final String suffix;

        Format(String suffix) {
            this.suffix = suffix;
        }
    }

    private static final Pattern NAME = Pattern.compile("\\d{20}\\.(arc|zip)");
    private static final String TEMPORARY_SUFFIX = ".tmp";
    private static final int CHUNK_LENGTH = 256 * 1024;

    private SegmentArchive() {}

    /** True if a file of this name in a log's directory is a finished copy. */
    public static boolean isArchive(String fileName) {
        return NAME.matcher(fileName).matches();
    }

    /**
     * Writes a copy.
     *
     * @param start path of the segment without suffix
     * @param length of its messages, bytes
     */
    static void write(StoreDirectory directory, String start, long length, Format format) {
        String archive = start + format.suffix;
        String temporary = archive + TEMPORARY_SUFFIX;
        directory.delete(temporary);
        try (StoreFile from = directory.open(start + Segment.DATA_SUFFIX);
                StoreFile to = directory.open(temporary)) {
            if (format == Format.ZIP) {
                zip(from, length, entryName(start), to);
            } else {
                copy(from, length, new FileOutput(to));
            }
            to.force(true);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot write " + temporary, e);
        }
        directory.rename(temporary, archive);
        // All the way up: perhaps no checkpoint has made the log's directory durable yet.
        for (int i = start.lastIndexOf('/'); i > 0; i = start.lastIndexOf('/', i - 1)) {
            directory.forceDirectory(start.substring(0, i));
        }
        directory.forceDirectory("");
    }

    private static String entryName(String start) {
        return start.substring(start.lastIndexOf('/') + 1) + Segment.DATA_SUFFIX;
    }

    private static void zip(StoreFile from, long length, String entryName, StoreFile to)
            throws IOException {
        // The zip's stream writes small pieces; each would be a call of the operating system.
        OutputStream out = new BufferedOutputStream(new FileOutput(to), CHUNK_LENGTH);
        ZipOutputStream zip = new ZipOutputStream(out);
        ZipEntry entry = new ZipEntry(entryName);
        // No clock here; the time of each message is in the message's index, not in the archive.
        entry.setTime(0);
        zip.putNextEntry(entry);
        copy(from, length, zip);
        zip.closeEntry();
        zip.finish();
        out.flush();
    }

    private static void copy(StoreFile from, long length, OutputStream to) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_LENGTH);
        for (long position = 0; position < length; position += chunk.limit()) {
            chunk.clear().limit((int) Math.min(CHUNK_LENGTH, length - position));
            if (from.read(chunk, position) < chunk.limit()) {
                throw new StoreException(
                        StoreException.Kind.CORRUPT,
                        "%s must hold %d bytes, but ends before".formatted(from.path(), length));
            }
            to.write(chunk.array(), 0, chunk.limit());
        }
    }

    /** Appends to a file. */
    private static final class FileOutput extends OutputStream {
        private final StoreFile file;
        private long position;

        FileOutput(StoreFile file) {
            this.file = file;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            file.write(ByteBuffer.wrap(bytes, offset, length), position);
            position += length;
        }
    }
}
