package org.metaq.server.operations;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.metaq.broker.Broker;
import org.metaq.server.config.ConfigFile;
import org.metaq.server.config.ServerConfig;

/** What operators may do with one broker: the reload command, and JMX. Thread-safe. */
public final class Operations implements AutoCloseable {
    private final Reloader reloader;
    private final BrokerJmx jmx;

    private Operations(Reloader reloader, BrokerJmx jmx) {
        this.reloader = reloader;
        this.jmx = jmx;
    }

    /**
     * Begins; the writer thread must not have been started yet.
     *
     * @param writer runs on the writer thread what it is given, from any thread; what that throws
     *     is the end of the broker
     * @param stop begins to stop the broker, and returns at once
     */
    public static Operations open(
            ServerConfig config, int port, Broker broker, Executor writer, Runnable stop) {
        WriterCalls calls = new WriterCalls(writer, broker);
        Reloader reloader = new Reloader(config, calls);
        broker.adminHandler(reloader);
        ConfigFile file = config.file();
        if (file != null) {
            broker.configText(file.text(), file.checksum());
        }
        int brokerId = config.broker().brokerId();
        BrokerJmx jmx =
                BrokerJmx.register(
                        brokerId,
                        port,
                        new BrokerControl(brokerId, port, calls, reloader, stop),
                        new TransactionsControl(calls));
        return new Operations(reloader, jmx);
    }

    /** Hears of every configuration file that took effect, on a thread of its own. */
    public void onReload(Consumer<ConfigFile> listener) {
        reloader.onReload(listener);
    }

    /**
     * Has a reload read something besides the configuration file.
     *
     * @param reader reads and puts it in force, on a thread of the reloader's; what changed, a
     *     sentence each; throws a {@link org.metaq.server.config.ConfigException} if it is not
     *     valid, and changes nothing then
     */
    public void alsoReads(Supplier<List<String>> reader) {
        reloader.alsoReads(reader);
    }

    /** Takes no more requests and takes the beans out; the second time nothing happens. */
    @Override
    public void close() {
        jmx.close();
        reloader.close();
    }
}
