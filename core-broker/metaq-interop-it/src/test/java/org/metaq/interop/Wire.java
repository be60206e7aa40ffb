package org.metaq.interop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.metaq.server.RawClient;

/** MetaQ's protocol by hand. Not thread-safe. */
final class Wire implements AutoCloseable {
    private final RawClient client;
    private int opaque;

    /** A stored message. */
    record Stored(long id, int partition, long offset) {}

    /** A message as it was read; {@code offset} is that of its first byte. */
    record Read(long id, long offset, String text) {}

    Wire(int port) throws IOException {
        client = new RawClient(port);
    }

    /** A reply as {@code status text}. */
    String ask(String command) throws IOException {
        RawClient.Answer answer = client.ask(command + " " + opaque++ + "\r\n");
        return answer.line().split(" ")[1] + " " + answer.text();
    }

    /** A reply to a command with a body; the opaque goes before it. */
    String askWith(String command, byte[] body) throws IOException {
        sendWith(command, body);
        return readReply();
    }

    void sendWith(String command, byte[] body) throws IOException {
        byte[] line = (command + " " + opaque++ + "\r\n").getBytes(ISO_8859_1);
        byte[] all = new byte[line.length + body.length];
        System.arraycopy(line, 0, all, 0, line.length);
        System.arraycopy(body, 0, all, line.length, body.length);
        client.send(all);
    }

    String readReply() throws IOException {
        RawClient.Answer answer = client.read();
        return answer.line().split(" ")[1] + " " + answer.text();
    }

    Stored put(String topic, int partition, byte[] body) throws IOException {
        return stored(askWith(putCommand(topic, partition, body.length), body));
    }

    Stored put(String topic, int partition, String text) throws IOException {
        return put(topic, partition, text.getBytes(ISO_8859_1));
    }

    static String putCommand(String topic, int partition, int length) {
        return "put " + topic + " " + partition + " " + length + " 0 -1";
    }

    static Stored stored(String reply) {
        assertThat(reply).startsWith("200 ");
        String[] numbers = reply.substring(4).split(" ");
        return new Stored(
                Long.parseLong(numbers[0]),
                Integer.parseInt(numbers[1]),
                Long.parseLong(numbers[2]));
    }

    /** Puts in a transaction and asserts that it was taken. */
    void putIn(String key, String topic, int partition, String text) throws IOException {
        String command = putCommand(topic, partition, text.length()) + " " + key;
        assertThat(stored(askWith(command, text.getBytes(ISO_8859_1))).offset()).isEqualTo(-1);
    }

    /** A transaction command that must succeed. */
    String transaction(String key, String rest) throws IOException {
        String reply = ask("transaction " + key + " session " + rest);
        assertThat(reply).startsWith("200 ");
        return reply.substring(4);
    }

    /** All whole messages from an offset to the end; fails if what is there is no messages. */
    List<Read> readAll(String topic, int partition, long from) throws IOException {
        List<Read> messages = new ArrayList<>();
        long offset = from;
        while (true) {
            RawClient.Answer answer =
                    client.ask(
                            "get "
                                    + topic
                                    + " g "
                                    + partition
                                    + " "
                                    + offset
                                    + " 1048576 "
                                    + opaque++
                                    + "\r\n");
            if (!answer.line().startsWith("value")) {
                assertThat(answer.line()).startsWith("result 404");
                return messages;
            }
            offset = parse(answer.body(), offset, messages);
        }
    }

    private static long parse(byte[] data, long from, List<Read> messages) {
        ByteBuffer buffer = ByteBuffer.wrap(data);
        int at = 0;
        while (data.length - at >= 20 && buffer.getInt(at) <= data.length - at - 20) {
            int length = buffer.getInt(at);
            java.util.zip.CRC32 crc = new java.util.zip.CRC32();
            crc.update(data, at + 20, length);
            assertThat(buffer.getInt(at + 4)).isEqualTo((int) crc.getValue() & Integer.MAX_VALUE);
            messages.add(
                    new Read(
                            buffer.getLong(at + 8),
                            from + at,
                            new String(data, at + 20, length, ISO_8859_1)));
            at += 20 + length;
        }
        assertThat(at).as("a whole message at " + from).isPositive();
        return from + at;
    }

    List<String> texts(String topic, int partition) throws IOException {
        return readAll(topic, partition, 0).stream().map(Read::text).toList();
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
