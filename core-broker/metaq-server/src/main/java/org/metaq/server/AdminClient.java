package org.metaq.server;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.Limits;
import org.metaq.protocol.Reply;

/** A connection of a command line tool: asks, and waits for the answer. Confined to its thread. */
final class AdminClient implements AutoCloseable {
    /** Opaque number of a command that is the only one under way. */
    static final int OPAQUE = 1;

    private static final int TIMEOUT_MS = 70_000;

    /** More than the keys of half a million branches; what is no broker may say anything. */
    private static final int BODY_LENGTH_MAX = 128 << 20;

    private final Socket socket = new Socket();
    private final OutputStream out;
    private final InputStream in;

    /**
     * Connects.
     *
     * @throws IOException if nobody listens there
     */
    AdminClient(String host, int port) throws IOException {
        try {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            out = socket.getOutputStream();
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Sends a command and reads its reply.
     *
     * @param command with {@link #OPAQUE}
     * @throws IOException if the connection is lost, or it is no broker's
     */
    Reply ask(Command command) throws IOException {
        CommandCodec.Frame frame = CommandCodec.encode(command);
        ByteBuffer bytes = ByteBuffer.allocate(frame.length());
        bytes.put(frame.line()).put(frame.body());
        out.write(bytes.array());
        String line = line();
        String[] tokens = line.split(" ", -1);
        if (tokens.length == 4 && tokens[0].equals("result")) {
            byte[] text = body(tokens[2]);
            return new Reply.Result(
                    number(tokens[1]), new String(text, StandardCharsets.UTF_8), OPAQUE);
        }
        if (tokens.length == 3 && tokens[0].equals("value")) {
            return new Reply.Value(ByteBuffer.wrap(body(tokens[1])), OPAQUE);
        }
        throw new IOException("not a broker of MetaQ: it answered " + line);
    }

    private byte[] body(String lengthToken) throws IOException {
        int length = number(lengthToken);
        if (length < 0 || length > BODY_LENGTH_MAX) {
            throw new IOException("not a broker of MetaQ: an answer of " + length + " bytes");
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("it closed the connection within its answer");
        }
        return body;
    }

    private static int number(String token) throws IOException {
        try {
            return Integer.parseInt(token);
        } catch (NumberFormatException e) {
            throw new IOException("not a broker of MetaQ: a number is " + token, e);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.length() <= Limits.LINE_LENGTH_MAX) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("it closed the connection without an answer");
            }
            if (next == '\n') {
                return line.toString().trim();
            }
            line.append((char) next);
        }
        throw new IOException("not a broker of MetaQ: its answer has no end");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
