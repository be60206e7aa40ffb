package org.metaq.interop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Passes the bytes of clients on to a server and remembers what clients sent. Clients find it below
 * a ZooKeeper root of its own, {@code /tap}. Thread-safe.
 */
final class Tap implements AutoCloseable {
    static final String ROOT = "/tap";

    private final ServerSocket listener;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    Tap(int target) throws IOException {
        this.target = target;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Registers in the place of a broker, with a topic of one partition. */
    void register(ZooKeeperView zookeeper, int brokerId, String topic) throws Exception {
        zookeeper.write(
                ROOT + "/brokers/ids/" + brokerId + "/master",
                "meta://127.0.0.1:" + listener.getLocalPort());
        String json = "{\"broker\":\"" + brokerId + "-m\",\"numParts\":1}";
        for (String kind : List.of("topics-pub", "topics-sub")) {
            zookeeper.write(ROOT + "/brokers/" + kind + "/" + topic + "/" + brokerId + "-m", json);
        }
    }

    /** How often clients sent a word at the beginning of a command. */
    int count(String word) {
        String all;
        synchronized (sent) {
            all = sent.toString(ISO_8859_1);
        }
        return (all.length() - all.replace(word + " ", "").length()) / (word.length() + 1);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.addAll(List.of(client, server));
                start(() -> pass(client, server, true));
                start(() -> pass(server, client, false));
            }
        } catch (IOException e) {
            if (!listener.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void pass(Socket from, Socket to, boolean isRecorded) {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (isRecorded) {
                    synchronized (sent) {
                        sent.write(buffer, 0, length);
                    }
                }
                out.write(buffer, 0, length);
            }
        } catch (IOException e) {
            // one side is gone, and with it now the other
            return;
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "tap");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
