package org.metaq.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes {@code docs/configuration.md} from the keys in the code. */
final class ConfigDoc {
    private static final String INTRODUCTION =
            """
            # Configuration of the broker

            This page is made from the keys in `org.metaq.server.config` (`ConfigKey`, `ZooKeeperKey`,
            `TopicKey`, `IgnoredKey`); change it there, and run the test-side main class
            `org.metaq.server.config.ConfigDoc docs/configuration.md`.

            `metaq broker` works without a file: every key has a default. With `--config FILE` it
            reads an INI file as MetaQ's `server.ini`; `--data`, `--port` and `--bind` go before what
            the file says. The broker refuses to start on a section or key that it does not know, on
            a value that is not valid and on a key that is set twice, and says which.

            Wherever a number stands, an expression may: whole numbers with the units `K`, `M` and
            `G` (powers of 1024), `+ - * / %` and parentheses: `1024*1024*1024`, `64M`,
            `(1G + 512M) / 2`.

            """;

    private static final String SYSTEM =
            """
            ## [system]

            | key | unit | default | range | what it does |
            |---|---|---|---|---|
            """;

    private static final String IGNORED =
            """

            Keys of MetaQ that are accepted without effect, and named in the log:

            | key | because |
            |---|---|
            """;

    private static final String ZOOKEEPER =
            """

            ## [zookeeper]

            Without this section, or with `zk.zkEnable=false`, the broker runs alone: JMS clients need
            nothing else, classic ones do not find it.

            | key | unit | default | range | what it does |
            |---|---|---|---|---|
            """;

    private static final String TOPIC =
            """

            ## [topic=NAME]

            NAME is the physical name of a topic or queue ([protocol.md](protocol.md), section 2), and
            may hold `*` for any characters. A topic goes by the section of its very name, else by the
            first in the file that matches, else by `[system]`. A section of a name without `*` creates
            the topic. Each key is optional; without it the value of `[system]` holds, whose units and
            ranges these are:

            | key | what it does |
            |---|---|
            """;

    private static final String TOPIC_END =
            """
            | `group.<consumerGroup>` | Class of a filter: of this group's classic gets, only messages \
            that it accepts are returned. |

            """;

    private static final String RELOAD =
            """
            ## Reload

            `metaq reload [--host 127.0.0.1] [--port 8123]`, or `reload` of the JMX bean
            `org.metaq:type=Broker,id=<brokerId>,port=<port>`, has a running broker read its file again.
            Topic sections that were added, changed or removed take effect at once, all together. What
            changed in `[system]` or `[zookeeper]` is named, and waits for a restart; until then topics
            inherit what `[system]` said at the start. A file that is not valid changes nothing.

            * Partitions are added, never taken away.
            * A topic whose section is gone keeps its data and goes by `[system]`, or by a section with
              `*` that matches. With `autoCreateDestinations=false` and no such section it is no longer
              registered, and sends and classic gets are refused with 403 until it is configured again.
            * `dataPath` of a topic holds for partitions that are created from then on.
            """;

    private static final String JMX =
            """

            ## JMX

            The broker registers two beans in its platform MBean server; reach them as those of any Java
            process (`METAQ_OPTS=-Dcom.sun.management.jmxremote.port=9123 …`, or locally with JConsole).
            What an operation refuses is an `IllegalArgumentException` with the reason. An
            `IllegalStateException` says that it is not known whether it was done.

            | bean | attributes | operations |
            |---|---|---|
            | `org.metaq:type=Broker,id=<brokerId>,port=<port>` | Version, BrokerId, Port, \
            ConnectionCount, ConsumerCount, TemporaryDestinationCount, VolatileSubscriptionCount, \
            ConfigFile, ConfigChecksum (CRC-32), Topics, Subscriptions (backlog, consumers), \
            DeadLetterCount, ExpiredCount | `reload()`, \
            `resetSubscription(topic, clientId, name, position)`, \
            `closePartitions(topic, first, last)`, `openPartitions(topic)`, \
            `openPartitions(topic, first, last)`, `checkpoint()`, `stop()` |
            | `org.metaq:type=Transactions,id=<brokerId>,port=<port>` | ActiveCount, PreparedCount, \
            OldestPreparedAgeMs, Prepared and Branches (as `metaq transactions` shows them), \
            HeuristicOutcomes | `commitHeuristically(key)`, `rollbackHeuristically(key)`, \
            `forget(key)` |

            `resetSubscription` has a durable subscription without consumers deliver from another place on:
            `earliest`, `latest`, a time such as `2026-11-01T00:00:00Z`, or `offset:<partition>:<bytes>`.
            The topic is its physical name; of a queue, client id and name are empty. What
            [retention](architecture.md#retention) took does not come back: a queue's consumed messages go
            by `deletePolicy` too, unless that is empty.

            Closed partitions answer 403 to puts and gets until they are opened, also over a restart.
            What an operator decides over an in-doubt branch is kept, and told to its transaction
            manager, until that or an operator forgets it ([in-doubt.md](in-doubt.md)).
            """;

    private ConfigDoc() {}

    /** Writes the document to the file named by the only argument. */
    public static void main(String[] args) throws IOException {
        Files.writeString(Path.of(args[0]), text());
    }

    static String text() {
        StringBuilder out = new StringBuilder(INTRODUCTION).append(SYSTEM);
        for (ConfigKey key : ConfigKey.values()) {
            out.append(row(key.spec()));
        }
        out.append(IGNORED);
        for (IgnoredKey key : IgnoredKey.values()) {
            out.append("| `" + key.key() + "` | " + key.because() + " |\n");
        }
        out.append(ZOOKEEPER);
        for (ZooKeeperKey key : ZooKeeperKey.values()) {
            out.append(row(key.spec()));
        }
        out.append(TOPIC);
        for (TopicKey key : TopicKey.values()) {
            out.append("| `" + key.spec().name() + "` | " + key.why() + " |\n");
        }
        return out.append(TOPIC_END).append(RELOAD).append(JMX).toString();
    }

    private static String row(KeySpec spec) {
        String range = spec.type().isNumber() ? spec.min() + " – " + spec.max() : "";
        String defaultValue =
                spec.defaultValue().isEmpty() ? "empty" : "`" + spec.defaultValue() + "`";
        return "| `%s` | %s | %s | %s | %s |\n"
                .formatted(spec.name(), spec.type().unit(), defaultValue, range, spec.why());
    }
}
