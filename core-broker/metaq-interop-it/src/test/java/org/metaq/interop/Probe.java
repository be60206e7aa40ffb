package org.metaq.interop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import org.metaq.server.RawClient;

/**
 * Sends bytes to a server and tells what came back in a form that two servers can be compared by.
 * Not thread-safe.
 */
final class Probe implements AutoCloseable {
    static final String CLOSED = "closed";
    static final String SILENT = "silent";

    private static final int SILENCE_MS = 400;
    private static final int ANSWER_MS = 10_000;

    private final RawClient client;
    private final String url;

    Probe(int port) throws IOException {
        client = new RawClient(port);
        url = "meta://127.0.0.1:" + port;
    }

    /** The reply to a command that should get one. */
    String ask(String command) throws IOException {
        return ask(command, ANSWER_MS);
    }

    /** As {@link #ask}, where there may be none: {@link #SILENT} after a short while. */
    String askInVain(String command) throws IOException {
        return ask(command, SILENCE_MS);
    }

    private String ask(String command, int timeoutMs) throws IOException {
        client.socket().setSoTimeout(timeoutMs);
        try {
            client.send(command);
            return normalized(client.read());
        } catch (SocketTimeoutException e) {
            return SILENT;
        } catch (SocketException | java.io.EOFException e) {
            return CLOSED;
        }
    }

    private String normalized(RawClient.Answer answer) {
        String[] line = answer.line().split(" ");
        if (line[0].equals("value")) {
            return "value " + masked(answer.body());
        }
        return line[1]
                + " "
                + answer.text()
                        .replace(url, "URL")
                        .replaceAll("^-?\\d{10,} (\\d+ -?\\d+)$", "ID $1");
    }

    /** The data with the message ids of whole messages as zeros. */
    private static String masked(byte[] data) {
        ByteBuffer buffer = ByteBuffer.wrap(data);
        int at = 0;
        while (at + 20 <= data.length) {
            int length = buffer.getInt(at);
            if (length < 0 || length > data.length - at - 20) {
                break;
            }
            buffer.putLong(at + 8, 0);
            at += 20 + length;
        }
        return data.length + " bytes, whole " + at + ": " + new String(data, 0, at, ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
