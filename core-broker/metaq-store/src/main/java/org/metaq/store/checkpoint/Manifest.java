package org.metaq.store.checkpoint;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.metaq.common.Checksums;
import org.metaq.store.StoreException;
import org.metaq.store.io.FileLength;
import org.metaq.store.journal.Position;

/**
 * What a checkpoint holds: lines of UTF-8 text, each ending in a line feed, words separated by one
 * space, numbers in decimal, checksums in eight hex digits.
 *
 * <pre>
 * metaq-checkpoint 1 1            version, oldest version whose reader understands it
 * position 1234 0                 entry and ordinal of the last record it holds
 * epoch 3
 * state 5120 0badcafe             length and CRC-32C of the file "state" beside it
 * file 2040 topics/orders-0/00000000000000000000.meta
 * ...                             length and path of each file of the views, sorted by path
 * crc32c 0badcafe                 over all bytes before this line
 * </pre>
 */
record Manifest(Position at, long epoch, int stateLength, int stateCrc, List<FileLength> files) {
    private static final int VERSION = 1;
    private static final String MAGIC = "metaq-checkpoint";
    private static final int CRC_LINE_LENGTH = "crc32c 00000000\n".length();

    Manifest {
        List<FileLength> sorted = new ArrayList<>(files);
        sorted.sort((a, b) -> a.path().compareTo(b.path()));
        for (int i = 0; i < sorted.size(); i++) {
            String path = sorted.get(i).path();
            if (!isDataPath(path)) {
                throw new IllegalArgumentException("'" + path + "' is no path of a view's file");
            }
            if (i > 0 && path.equals(sorted.get(i - 1).path())) {
                throw new IllegalArgumentException("'" + path + "' is listed twice");
            }
        }
        files = List.copyOf(sorted);
    }

    ByteBuffer encode() {
        StringBuilder text = new StringBuilder(256 + 80 * files.size());
        text.append("%s %d %d\n".formatted(MAGIC, VERSION, VERSION));
        text.append("position %d %d\n".formatted(at.entry(), at.ordinal()));
        text.append("epoch %d\n".formatted(epoch));
        text.append("state %d %08x\n".formatted(stateLength, stateCrc));
        for (FileLength file : files) {
            text.append("file ").append(file.length()).append(' ').append(file.path()).append('\n');
        }
        ByteBuffer body = StandardCharsets.UTF_8.encode(text.toString());
        text.append("crc32c %08x\n".formatted(Checksums.crc32c(body)));
        return StandardCharsets.UTF_8.encode(text.toString());
    }

    /**
     * Reads one back.
     *
     * @param path for messages
     * @throws StoreException CORRUPT if it is damaged, VERSION if a newer release wrote it
     */
    static Manifest decode(String path, byte[] bytes) {
        int bodyLength = bytes.length - CRC_LINE_LENGTH;
        if (bodyLength < 0) {
            throw corrupt(path, "is too short: " + bytes.length + " bytes", null);
        }
        int crc = Checksums.crc32c(ByteBuffer.wrap(bytes, 0, bodyLength));
        String crcLine = new String(bytes, bodyLength, CRC_LINE_LENGTH, StandardCharsets.UTF_8);
        if (!crcLine.equals("crc32c %08x\n".formatted(crc))) {
            throw corrupt(path, "does not agree with the checksum in its last line", null);
        }
        String[] lines = new String(bytes, 0, bodyLength, StandardCharsets.UTF_8).split("\n", -1);
        try {
            return parse(path, lines);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw corrupt(path, "cannot be read: " + e.getMessage(), e);
        }
    }

    private static Manifest parse(String path, String[] lines) {
        String[] head = words(lines[0], MAGIC, 3);
        if (Integer.parseInt(head[2]) > VERSION) {
            throw new StoreException(
                    StoreException.Kind.VERSION,
                    "%s has version %s, which this release (version %d) cannot read; use a newer one"
                            .formatted(path, head[1], VERSION));
        }
        String[] position = words(lines[1], "position", 3);
        String[] epoch = words(lines[2], "epoch", 2);
        String[] state = words(lines[3], "state", 3);
        List<FileLength> files = new ArrayList<>();
        for (String line : Arrays.asList(lines).subList(4, lines.length - 1)) {
            String[] file = words(line, "file", 3);
            files.add(new FileLength(file[2], Long.parseLong(file[1])));
        }
        return new Manifest(
                new Position(Long.parseLong(position[1]), Integer.parseInt(position[2])),
                Long.parseLong(epoch[1]),
                Integer.parseInt(state[1]),
                Integer.parseUnsignedInt(state[2], 16),
                files);
    }

    private static String[] words(String line, String first, int count) {
        String[] words = line.split(" ", -1);
        if (words.length != count || !words[0].equals(first)) {
            throw new IllegalArgumentException(
                    "'%s' where a line '%s' of %d words must be".formatted(line, first, count));
        }
        return words;
    }

    /** Whether a path stays within the folders of the views, and within a line. */
    private static boolean isDataPath(String path) {
        String[] parts = path.split("/", -1);
        boolean isPlain = CheckpointStore.DATA_DIRECTORIES.contains(parts[0]) && parts.length > 1;
        for (String part : parts) {
            isPlain &= !part.isEmpty() && !part.equals(".") && !part.equals("..");
        }
        return isPlain && path.chars().noneMatch(c -> c <= ' ' || c == 0x7F);
    }

    private static StoreException corrupt(
            String path, String what, @org.jspecify.annotations.Nullable Throwable cause) {
        return new StoreException(
                StoreException.Kind.CORRUPT,
                path + " " + what + "; restore the data directory from a copy",
                cause);
    }
}
