package org.metaq.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network between a client and a broker, both on loopback, that a test breaks: it cuts
 * connections, forwards in one direction only, or accepts and then is silent. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
    private static final int BUFFER_LENGTH = 16 * 1024;

    private enum Cut {
        NONE,
        REQUEST,
        REPLY
    }

    private final ServerSocket listener;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final Object gate = new Object();

    // Guarded by the gate.
    private boolean isHoldingRequests;
    private boolean isHoldingReplies;

    // Set by the test, read by the threads of the proxy.
    private volatile int target;
    private volatile Cut nextCut = Cut.NONE;
    private volatile boolean isRefusing;
    private volatile boolean isClosed;

    /** A proxy for a broker at this port. */
    public TcpProxy(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    /** Where clients connect. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Connections that were accepted so far, refused ones too. */
    public int acceptedCount() {
        return accepted.get();
    }

    /** From now on new connections go to another port. */
    public void target(int port) {
        target = port;
    }

    /** Breaks all connections that there are. */
    public void cut() {
        // each takes itself off the list; a client may be back before the last is closed
        for (Socket socket : sockets) {
            close(socket);
        }
    }

    /** The next connection over which a client sends anything breaks instead. */
    public void cutAtNextRequest() {
        nextCut = Cut.REQUEST;
    }

    /** The next connection over which a broker answers anything breaks instead. */
    public void cutAtNextReply() {
        nextCut = Cut.REPLY;
    }

    /** Breaks all connections, and those to come at once, until {@link #restore}. */
    public void down() {
        isRefusing = true;
        cut();
    }

    /** What clients send goes through, what the broker answers does not, until {@link #restore}. */
    public void holdReplies() {
        hold(false, true);
    }

    /** Nothing goes through any more, without an end of the connections, until {@link #restore}. */
    public void freeze() {
        hold(true, true);
    }

    /** All goes through; what was held comes now, if its connection still is. */
    public void restore() {
        isRefusing = false;
        nextCut = Cut.NONE;
        hold(false, false);
    }

    private void hold(boolean requests, boolean replies) {
        synchronized (gate) {
            isHoldingRequests = requests;
            isHoldingReplies = replies;
            gate.notifyAll();
        }
    }

    private void accept() {
        while (!isClosed) {
            try {
                Socket client = listener.accept();
                accepted.incrementAndGet();
                if (isRefusing) {
                    close(client);
                    continue;
                }
                connect(client);
            } catch (IOException e) {
                if (!isClosed) {
                    throw new IllegalStateException("the proxy cannot accept", e);
                }
            }
        }
    }

    private void connect(Socket client) {
        Socket broker = new Socket();
        try {
            broker.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
            broker.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
        } catch (IOException e) {
            close(client);
            close(broker);
            return;
        }
        sockets.add(client);
        sockets.add(broker);
        start("requests", () -> forward(client, broker, true));
        start("replies", () -> forward(broker, client, false));
    }

    private void forward(Socket from, Socket to, boolean isRequests) {
        byte[] buffer = new byte[BUFFER_LENGTH];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitGate(isRequests, to);
                if (nextCut == (isRequests ? Cut.REQUEST : Cut.REPLY)) {
                    nextCut = Cut.NONE;
                    return;
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // cut by the test or an end: the other side is told below
        } finally {
            close(from);
            close(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private void awaitGate(boolean isRequests, Socket to) throws IOException {
        synchronized (gate) {
            while (isRequests ? isHoldingRequests : isHoldingReplies) {
                try {
                    gate.wait(100);
                } catch (InterruptedException e) {
                    throw new IOException("interrupted", e);
                }
                if (to.isClosed()) {
                    throw new IOException("cut while it was held");
                }
            }
        }
    }

    private static void start(String role, Runnable work) {
        Thread thread = new Thread(work, "proxy-" + role);
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket does not close", e);
        }
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        listener.close();
        restore();
        cut();
    }
}
