package org.metaq.bench;

import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * Main class of the JVM of an ActiveMQ Classic broker, which is on the class path there and nowhere
 * else. Argument: directory of its data.
 */
public final class ActiveMqMain {
    private static final int MEMORY_PERCENT = 70;
    private static final long STORE_LIMIT_BYTES = 20L << 30;
    private static final long TEMPORARY_LIMIT_BYTES = 10L << 30;

    private ActiveMqMain() {}

    /** Runs the broker until it is told to stop. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Path data = Path.of(args[0]);
        Reflected broker = Reflected.make("org.apache.activemq.broker.BrokerService");
        broker.call("setBrokerName", "peer");
        broker.call("setDataDirectoryFile", data.toFile());
        broker.get("getManagementContext").call("setCreateConnector", false);
        Reflected store =
                Reflected.make("org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter");
        File directory = data.resolve("kahadb").toFile();
        store.call("setDirectory", directory);
        // Every persistent send and commit is answered after its fdatasync.
        store.call("setJournalDiskSyncStrategy", "always");
        broker.call("setPersistenceAdapter", store.object());
        Reflected usage = broker.get("getSystemUsage");
        usage.get("getMemoryUsage").call("setPercentOfJvmHeap", MEMORY_PERCENT);
        usage.get("getStoreUsage").call("setLimit", STORE_LIMIT_BYTES);
        usage.get("getTempUsage").call("setLimit", TEMPORARY_LIMIT_BYTES);
        Reflected connector = broker.get("addConnector", "tcp://127.0.0.1:0");
        broker.call("start");
        broker.call("waitUntilStarted");
        InetSocketAddress address =
                (InetSocketAddress) connector.get("getServer").get("getSocketAddress").object();
        System.out.println(EmbeddedPeer.READY + "tcp://127.0.0.1:" + address.getPort());
        System.out.flush();
        // Its threads alone would not keep the process.
        broker.call("waitUntilStopped");
    }
}
