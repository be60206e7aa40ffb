package org.metaq.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.metaq.protocol.Command;
import org.metaq.protocol.Reply;

/** One connection to a broker. */
// These bodies throw for one commit only: others compile against the names.
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"})
public final class ClientConnection implements AutoCloseable {
    private ClientConnection() {}

    /** Connects. */
    public static ClientConnection connect(ClientOptions options) throws ClientException {
        throw notYet();
    }

    private static UnsupportedOperationException notYet() {
        return new UnsupportedOperationException("the connection comes with the next commit");
    }

    /** A word without blanks. */
    public String connectionId() {
        throw notYet();
    }

    /** 0..1024. */
    public int brokerId() {
        throw notYet();
    }

    /** Grows with each start of the broker. */
    public long epoch() {
        throw notYet();
    }

    /** Longest message body that the broker takes, bytes. */
    public int maxMessageSizeBytes() {
        throw notYet();
    }

    /** Options it was made with. */
    public ClientOptions options() {
        throw notYet();
    }

    /** Number for the next command. */
    public int nextOpaque() {
        throw notYet();
    }

    /** Sends; the future completes on the reader thread. */
    public CompletableFuture<Reply> send(Command c) {
        throw notYet();
    }

    /** Sends and waits. */
    public Reply call(Command c) throws ClientException {
        throw notYet();
    }

    /** Sends; an error reply is logged. */
    public void sendOneWay(Command c) throws ClientException {
        throw notYet();
    }

    /** Told once when the connection is lost. */
    public void onLost(Consumer<ClientException> listener) {
        throw notYet();
    }

    /** False once it is closed or lost. */
    public boolean isOpen() {
        throw notYet();
    }

    /** True on the reader thread, which must not block. */
    public boolean isReaderThread() {
        throw notYet();
    }

    @Override
    public void close() {
        throw notYet();
    }
}
