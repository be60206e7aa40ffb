package org.metaq.bench;

import java.lang.reflect.Method;
import java.nio.file.Path;

/**
 * Main class of the JVM of an original MetaQ server, with a ZooKeeper in it; both are on the class
 * path there and nowhere else. Argument: directory with their configuration.
 */
public final class OriginalMain {
    /** The server's configuration. */
    static final String SERVER_INI = "server.ini";

    /** ZooKeeper's configuration. */
    static final String ZOOKEEPER_CFG = "zookeeper.cfg";

    private static final String ZOOKEEPER = "org.apache.zookeeper.server.ZooKeeperServerMain";
    private static final String SERVER = "com.taobao.metamorphosis.server.MetamorphosisStartup";

    private OriginalMain() {}

    /** Runs the server until it is told to stop. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Path directory = Path.of(args[0]);
        Method zookeeper = Class.forName(ZOOKEEPER).getMethod("main", String[].class);
        Object configuration = new String[] {directory.resolve(ZOOKEEPER_CFG).toString()};
        // It does not come back; the server connects again and again until it serves.
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                zookeeper.invoke(null, configuration);
                            } catch (ReflectiveOperationException e) {
                                System.err.println("no ZooKeeper: " + e.getCause());
                                System.exit(1);
                            }
                        },
                        "zookeeper");
        thread.setDaemon(true);
        thread.start();
        Object arguments = new String[] {"-f", directory.resolve(SERVER_INI).toString()};
        Class.forName(SERVER).getMethod("main", String[].class).invoke(null, arguments);
        System.out.println(EmbeddedPeer.READY);
        System.out.flush();
    }
}
