package org.metaq.server.config;

/** Every key of the {@code [zookeeper]} section of {@code server.ini}. */
enum ZooKeeperKey {
    ENABLE(
            KeySpec.flag(
                    "zk.zkEnable",
                    true,
                    "false: the broker does not register and runs alone, whatever else the section"
                            + " says.")),
    CONNECT(
            KeySpec.text(
                    "zk.zkConnect",
                    KeyType.TEXT,
                    "",
                    "Servers, `host:port,host:port`; required unless zk.zkEnable is false.")),
    ROOT(
            KeySpec.text(
                    "zk.zkRoot",
                    KeyType.TEXT,
                    "/meta",
                    "Path below which brokers and clients of one cluster meet.")),
    SESSION_TIMEOUT(
            KeySpec.number(
                    "zk.zkSessionTimeoutMs",
                    KeyType.MILLISECONDS,
                    "30000",
                    1,
                    Integer.MAX_VALUE,
                    "Silence after which ZooKeeper takes the broker for dead.")),
    CONNECTION_TIMEOUT(
            KeySpec.number(
                    "zk.zkConnectionTimeoutMs",
                    KeyType.MILLISECONDS,
                    "30000",
                    1,
                    Integer.MAX_VALUE,
                    "Longest time to connect.")),
    SYNC_TIME(
            KeySpec.number(
                    "zk.zkSyncTimeMs",
                    KeyType.MILLISECONDS,
                    "5000",
                    1,
                    Integer.MAX_VALUE,
                    "Time between two attempts to register."));

    // a record of strings and numbers; only an annotation that we do not have would say so
    @SuppressWarnings("ImmutableEnumChecker")
    private final KeySpec spec;

    ZooKeeperKey(KeySpec spec) {
        this.spec = spec;
    }

    /** What may stand there. */
    KeySpec spec() {
        return spec;
    }
}
