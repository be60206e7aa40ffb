package org.metaq.server;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.Limits;
import org.metaq.protocol.Reply;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Main class of {@code metaq reload}: has a broker on this machine read its {@code server.ini}
 * again, and prints what changed. Exit status: 0 if it took effect, 1 if the broker refused or
 * cannot be reached, 2 for a wrong command line.
 */
@Command(
        name = "reload",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Has a broker on this machine read its configuration file again.")
public final class ReloadMain implements Callable<Integer> {
    private static final int TIMEOUT_MS = 70_000;
    private static final int OPAQUE = 1;
    private static final int MAX_TEXT_LENGTH = Limits.CONTROL_BODY_LENGTH_MAX;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address of the broker; it takes this from a loopback address only.")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8123",
            description = "TCP port of the broker.")
    private int port = 8123;

    private ReloadMain() {}

    /** Reloads and ends the process. */
    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Reloads; the exit status. */
    static int execute(String... args) {
        return new CommandLine(new ReloadMain()).execute(args);
    }

    @Override
    public Integer call() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream()
                    .write(
                            CommandCodec.encode(new org.metaq.protocol.Command.Reload(OPAQUE))
                                    .line());
            return print(new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            System.err.println("metaq reload: " + host + ":" + port + ": " + e.getMessage());
            return 1;
        }
    }

    private static int print(InputStream in) throws IOException {
        String[] line = line(in).split(" ");
        if (line.length != 4 || !line[0].equals("result")) {
            throw new IOException("not a broker of MetaQ: it answered " + String.join(" ", line));
        }
        byte[] body = in.readNBytes(Math.min(Integer.parseInt(line[2]), MAX_TEXT_LENGTH));
        String text = new String(body, StandardCharsets.UTF_8);
        if (Integer.parseInt(line[1]) == Reply.OK) {
            System.out.println(text);
            return 0;
        }
        System.err.println("metaq reload: nothing was changed: " + text);
        return 1;
    }

    private static String line(InputStream in) throws IOException {
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
}
