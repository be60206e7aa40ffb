package org.metaq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** MetaQ's own server 1.4.6.2, with a ZooKeeper, in a JVM of its own. */
final class OriginalServer extends EmbeddedPeer {
    /** Its name, as results have it. */
    static final String NAME = "metaq-1.4.6.2";

    /** Gets its jars; see {@link EmbeddedPeer}. */
    OriginalServer(Path peers, List<String> options) throws BenchException, InterruptedException {
        super(NAME, peers, options);
    }

    @Override
    public String durability() {
        return "puts are answered after their force (unflushThreshold=0)";
    }

    @Override
    public Broker start(Path directory) throws BenchException, InterruptedException {
        int zookeeperPort = Jvm.freePort();
        String connect = "127.0.0.1:" + zookeeperPort;
        List<String> more;
        try {
            Files.writeString(
                    directory.resolve(OriginalMain.ZOOKEEPER_CFG),
                    "tickTime=2000\nclientPortAddress=127.0.0.1\nclientPort="
                            + zookeeperPort
                            + "\ndataDir="
                            + directory.resolve("zookeeper")
                            + "\n");
            Files.writeString(
                    directory.resolve(OriginalMain.SERVER_INI),
                    ClassicNames.serverIni(
                            List.of(
                                    "serverPort=" + Jvm.freePort(),
                                    "dashboardHttpPort=" + Jvm.freePort(),
                                    "dataPath=" + directory.resolve("data")),
                            List.of(
                                    "zk.zkConnect=" + connect,
                                    "zk.zkSessionTimeoutMs=30000",
                                    "zk.zkConnectionTimeoutMs=30000",
                                    "zk.zkSyncTimeMs=5000")));
            more = originalOptions(directory);
        } catch (IOException e) {
            throw new BenchException("cannot write to " + directory + ": " + e, e);
        }
        Ready ready = start(OriginalMain.class, directory.toString(), more, directory);
        return new Broker(ready.process(), connect);
    }

    /** Options of a JVM with original jars: they write to the home directory, and log a lot. */
    static List<String> originalOptions(Path directory) throws IOException {
        Path logging = directory.resolve("log4j.properties");
        PeerJars.copy("original-log4j.properties", logging);
        return List.of("-Duser.home=" + directory, "-Dlog4j.configuration=" + logging.toUri());
    }
}
