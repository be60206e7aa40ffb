package org.metaq.server.config;

/**
 * Every key of a {@code [topic=NAME]} section of {@code server.ini} but {@code
 * group.<consumerGroup>}. Each stands in {@code [system]} too, where it holds for the topics that
 * do not set it.
 */
enum TopicKey {
    NUM_PARTITIONS(
            ConfigKey.NUM_PARTITIONS,
            "Its partitions. More than it has adds some; fewer takes none away, and is reported."),
    ACCEPT_PUBLISH(ConfigKey.ACCEPT_PUBLISH, "Whether clients may send to it."),
    ACCEPT_SUBSCRIBE(ConfigKey.ACCEPT_SUBSCRIBE, "Whether clients may read from it."),
    STAT(ConfigKey.STAT, "Whether statistics of recent activity are kept for it."),
    DELETE_POLICY(ConfigKey.DELETE_POLICY, "What happens to its old segments."),
    DELETE_WHEN(ConfigKey.DELETE_WHEN, "When its old segments are looked for."),
    MAX_PARTITION_SIZE(ConfigKey.MAX_PARTITION_SIZE, "Length that each of its partitions keeps."),
    DELETE_UNCONSUMED(
            ConfigKey.DELETE_UNCONSUMED,
            "Whether its segments go although a durable subscription or queue needs them."),
    DATA_PATH(
            ConfigKey.DATA_PATH,
            "Directory for its partitions; what there is does not move. Not inherited: without it"
                    + " they are with all others."),
    MAX_DELIVERIES(
            ConfigKey.MAX_DELIVERIES,
            "After so many deliveries a message of it that comes back is a dead letter."),
    REDELIVERY_DELAY(
            ConfigKey.REDELIVERY_DELAY, "Milliseconds that a message which came back waits."),
    REDELIVERY_BACK_OFF(
            ConfigKey.REDELIVERY_BACK_OFF,
            "What the delay is multiplied with for each further delivery."),
    MAX_REDELIVERY_DELAY(
            ConfigKey.MAX_REDELIVERY_DELAY,
            "Milliseconds that no delay made by the back-off exceeds."),
    STRICT_ORDER(
            ConfigKey.STRICT_ORDER, "Whether a message group waits for its message that waits."),
    DEAD_LETTER(ConfigKey.DEAD_LETTER, "Queue for its dead letters."),
    EXPIRY_QUEUE(ConfigKey.EXPIRY_QUEUE, "Queue for its expired messages."),
    UNFLUSH_THRESHOLD(ConfigKey.UNFLUSH_THRESHOLD, "Its sends after which the journal is forced."),
    UNFLUSH_INTERVAL(
            ConfigKey.UNFLUSH_INTERVAL,
            "Longest time between a send to it and a force, when its unflushThreshold is above 0.");

    private final ConfigKey system;
    private final String why;

    TopicKey(ConfigKey system, String why) {
        this.system = system;
        this.why = why;
    }

    /** The key of {@code [system]} that gives its default. */
    ConfigKey system() {
        return system;
    }

    /** What may stand there. */
    KeySpec spec() {
        return system.spec();
    }

    /** True for a value of a redelivery policy. */
    boolean isRedelivery() {
        return system.spec().type() == KeyType.REDELIVERY;
    }

    /** What it does for a topic. */
    String why() {
        return why;
    }
}
