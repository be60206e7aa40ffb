package org.metaq.client.consume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.metaq.client.cluster.Partition;
import org.metaq.common.Checksums;
import org.metaq.protocol.BodyReader;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.ProtocolException;

/**
 * One rejected message on the disk.
 *
 * <pre>
 * off len field                  (all integers big-endian)
 *   0   4 magic         "MQRM"
 *   4   4 version       int32, 1
 *   8   4 oldestReader  int32, 1
 *  12   4 crc32c        uint32, over bytes 16..end
 *  16   . topic         string: int32 length, UTF-8
 *   .   4 brokerId      int32
 *   .   4 partition     int32, number on the broker
 *   .   8 offset        int64
 *   .   8 nextOffset    int64
 *   .   8 messageId     int64
 *   .   4 flag          int32
 *   .   . attribute     string; length -1: none
 *   .   . payload       int32 length, bytes
 * </pre>
 *
 * <p>A file appears under its name only when it is whole and forced.
 */
final class RecoveryFile {
    private static final int MAGIC = 0x4D51524D;
    private static final int VERSION = 1;
    private static final int CRC_OFFSET = 12;
    private static final int BODY_OFFSET = CRC_OFFSET + Integer.BYTES;

    private RecoveryFile() {}

    /** Writes a message; it is on the disk when this returns. */
    static void write(Path file, ReceivedMessage message) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        ByteBuffer bytes = encode(message);
        try (FileChannel out =
                FileChannel.open(
                        next,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path directory = file.getParent();
        if (directory != null) {
            try (FileChannel parent = FileChannel.open(directory, StandardOpenOption.READ)) {
                parent.force(true);
            }
        }
    }

    private static ByteBuffer encode(ReceivedMessage message) {
        BodyWriter out = new BodyWriter(256 + message.payload().length);
        out.i32(MAGIC).i32(VERSION).i32(VERSION).i32(0);
        out.string(message.topic());
        out.i32(message.partition().brokerId()).i32(message.partition().number());
        out.i64(message.offset()).i64(message.nextOffset()).i64(message.messageId());
        out.i32(message.flag()).nullableString(message.attribute()).bytes(message.payload());
        ByteBuffer bytes = out.toBuffer();
        int crc = Checksums.crc32c(bytes.slice(BODY_OFFSET, bytes.limit() - BODY_OFFSET));
        return bytes.putInt(CRC_OFFSET, crc);
    }

    /**
     * Reads a message.
     *
     * @throws ProtocolException if the file is damaged or of a later version
     */
    static ReceivedMessage read(Path file) throws IOException, ProtocolException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        BodyReader in = new BodyReader(bytes);
        if (in.i32() != MAGIC) {
            throw new ProtocolException("no rejected message: wrong magic");
        }
        in.i32();
        int oldestReader = in.i32();
        if (oldestReader > VERSION) {
            throw new ProtocolException("written for readers from version " + oldestReader + " on");
        }
        if (in.i32() != Checksums.crc32c(bytes.slice(BODY_OFFSET, bytes.limit() - BODY_OFFSET))) {
            throw new ProtocolException("checksum wrong");
        }
        String topic = in.string();
        Partition partition = new Partition(in.i32(), in.i32());
        return new ReceivedMessage(
                topic,
                partition,
                in.i64(),
                in.i64(),
                in.i64(),
                in.i32(),
                in.nullableString(),
                in.bytes());
    }
}
