package org.metaq.server;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A socket that speaks the protocol by hand, for tests. Not thread-safe. */
public final class RawClient implements AutoCloseable {
    private static final int TIMEOUT_MS = 20_000;

    private final Socket socket;
    private final DataInputStream in;

    /** A reply: its line and its body. */
    public record Answer(String line, byte[] body) {
        /** The body as text. */
        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** Connects to a port on loopback. */
    public RawClient(int port) throws IOException {
        this(port, 0);
    }

    /** With a receive buffer of its own length; 0: the system's. */
    public RawClient(int port, int receiveBufferLength) throws IOException {
        socket = new Socket();
        if (receiveBufferLength > 0) {
            socket.setReceiveBufferSize(receiveBufferLength);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
        socket.setSoTimeout(TIMEOUT_MS);
        in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 65536));
    }

    /** Sends text, a byte for each character. */
    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends bytes. */
    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Sends text and reads one reply. */
    public Answer ask(String text) throws IOException {
        send(text);
        return read();
    }

    /** Reads one reply. */
    public Answer read() throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.length() < 2 || line.charAt(line.length() - 2) != '\r') {
            line.append((char) in.readUnsignedByte());
        }
        String text = line.substring(0, line.length() - 2);
        String[] tokens = text.split(" ");
        byte[] body = new byte[Integer.parseInt(tokens[tokens.length - 2])];
        in.readFully(body);
        return new Answer(text, body);
    }

    /** Whether the server has closed the connection; waits for it. */
    public boolean isClosedByServer() throws IOException {
        try {
            return in.read() < 0;
        } catch (EOFException | java.net.SocketException e) {
            return true;
        }
    }

    /** The socket itself. */
    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
