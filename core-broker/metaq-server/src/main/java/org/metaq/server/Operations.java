package org.metaq.server;

import org.metaq.broker.Broker;

/** What operators may do with one broker: the reload command, and JMX. Thread-safe. */
final class Operations implements AutoCloseable {
    private final Reloader reloader;
    private final BrokerJmx jmx;

    private Operations(Reloader reloader, BrokerJmx jmx) {
        this.reloader = reloader;
        this.jmx = jmx;
    }

    /**
     * Begins; the writer thread must not have been started yet.
     *
     * @param stop begins to stop the broker, and returns at once
     */
    static Operations open(
            ServerConfig config, int port, Broker broker, BrokerAgent agent, Runnable stop) {
        WriterCalls calls = new WriterCalls(agent::offer, broker);
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

    Reloader reloader() {
        return reloader;
    }

    @Override
    public void close() {
        jmx.close();
        reloader.close();
    }
}
