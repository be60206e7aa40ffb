package org.metaq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.metaq.broker.DeletePolicy;
import org.metaq.broker.TopicCatalog;
import org.metaq.broker.TopicSettings;
import org.metaq.protocol.RedeliveryPolicy;

class ConfigFileTest {
    @TempDir Path directory;

    private ConfigFile file;

    private ServerConfig read(String... lines) throws IOException {
        Path path = directory.resolve("server.ini");
        Files.writeString(path, String.join("\n", lines));
        file = ConfigFile.read(path);
        return ServerConfig.builder().file(file).build();
    }

    // ---- defaults

    @Test
    void shouldHaveTheDocumentedDefaults() {
        ServerConfig config = ServerConfig.builder().build();
        assertThat(config.network().port()).isEqualTo(8123);
        assertThat(config.storage().dataPath())
                .isEqualTo(Path.of(System.getProperty("user.home"), "meta"));
        assertThat(config.storage().dataLogPath()).isEqualTo(config.storage().dataPath());
        assertThat(config.storage().unflushThreshold()).isZero();
        assertThat(config.network().maxInflightBytes()).isBetween(1L << 20, 64L << 20);
        assertThat(config.zookeeper()).isEqualTo(ServerConfig.ZooKeeper.NONE);
        assertThat(config.broker().autoCreate()).isTrue();
        assertThat(config.broker().movesBeyondEnd()).isTrue();
        assertThat(config.broker().checkpointIntervalMs()).isEqualTo(3_600_000);
        assertThat(config.broker().maxMessageSizeBytes()).isEqualTo(100 << 20);
        assertThat(config.checksum()).isZero();
        TopicSettings topics = config.broker().topics().defaults();
        assertThat(topics)
                .isEqualTo(
                        new TopicSettings(
                                1,
                                true,
                                true,
                                false,
                                new DeletePolicy(
                                        DeletePolicy.Action.DELETE, TimeUnit.HOURS.toMillis(168)),
                                "0 0 6,18 * * ?",
                                0,
                                false,
                                0,
                                10_000,
                                "",
                                Map.of()));
    }

    @Test
    void shouldAcceptEachDefaultWhenItIsWrittenOut() {
        ServerConfig.Builder builder = ServerConfig.builder();
        for (ConfigKey key : ConfigKey.values()) {
            builder.set(key, key.spec().defaultValue());
        }
        assertThat(builder.build()).isEqualTo(ServerConfig.builder().build());
    }

    // ---- keys

    /** A value that is neither the default nor out of range. */
    private static String other(KeySpec spec) {
        return switch (spec.type()) {
            case FLAG -> Boolean.toString(!spec.flag(spec.defaultValue()));
            case TEXT, PATH -> "other";
            case REDELIVERY ->
                    switch (spec.name()) {
                        case RedeliveryPolicy.STRICT_ORDER -> "true";
                        case RedeliveryPolicy.DEAD_LETTER -> "other";
                        default -> "7";
                    };
            case CRON -> "0 30 1 ? * MON-FRI";
            case DELETE_POLICY -> "archive,30m,true";
            default -> {
                long number = spec.number(spec.defaultValue());
                yield Long.toString(number + 1 < spec.max() ? number + 2 : number - 1);
            }
        };
    }

    @ParameterizedTest
    @EnumSource(ConfigKey.class)
    void shouldActOnEveryKeyOfTheSystemSection(ConfigKey key) throws IOException {
        String needed = key == ConfigKey.ALLOW_ANONYMOUS ? "users = some" : "brokerId=0";
        ServerConfig without = read("[system]", needed);
        String line = key.spec().name() + " = " + other(key.spec());
        ServerConfig with =
                key == ConfigKey.BROKER_ID
                        ? read("[system]", line)
                        : read("[system]", needed, line);
        assertThat(new Comparable(with)).isNotEqualTo(new Comparable(without));
    }

    /** All but the file itself. */
    private record Comparable(
            Object broker,
            Object network,
            Object storage,
            Object path,
            Object security,
            long inDoubtAlarmAgeMs) {
        Comparable(ServerConfig c) {
            this(
                    c.broker(),
                    c.network(),
                    c.storage(),
                    c.appClassPath(),
                    c.security(),
                    c.inDoubtAlarmAgeMs());
        }
    }

    @ParameterizedTest
    @EnumSource(TopicKey.class)
    void shouldActOnEveryKeyOfATopicSection(TopicKey key) throws IOException {
        TopicSettings with =
                read("[topic=orders]", key.spec().name() + " = " + other(key.spec()))
                        .broker()
                        .topics()
                        .of("orders");
        assertThat(with).isNotEqualTo(ServerConfig.builder().build().broker().topics().defaults());
    }

    @ParameterizedTest
    @EnumSource(TopicKey.class)
    void shouldLetATopicInheritEveryKeyButItsDirectory(TopicKey key) throws IOException {
        TopicCatalog topics =
                read(
                                "[system]",
                                key.spec().name() + " = " + other(key.spec()),
                                "[topic=orders]",
                                "group.g = org.example.Filter")
                        .broker()
                        .topics();
        TopicSettings defaults = ServerConfig.builder().build().broker().topics().defaults();
        assertThat(topics.defaults().equals(defaults)).isEqualTo(key == TopicKey.DATA_PATH);
        assertThat(topics.of("orders"))
                .isEqualTo(
                        new TopicSection(Map.of(), Map.of("g", "org.example.Filter"))
                                .over(topics.defaults()));
    }

    @ParameterizedTest
    @EnumSource(ZooKeeperKey.class)
    void shouldActOnEveryKeyOfTheZooKeeperSection(ZooKeeperKey key) throws IOException {
        ServerConfig.ZooKeeper without =
                read("[zookeeper]", "zk.zkConnect=localhost:2181").zookeeper();
        String connect = key == ZooKeeperKey.CONNECT ? "" : "zk.zkConnect=localhost:2181";
        ServerConfig.ZooKeeper with =
                read("[zookeeper]", connect, key.spec().name() + " = " + other(key.spec()))
                        .zookeeper();
        assertThat(with).isNotEqualTo(without);
    }

    @ParameterizedTest
    @EnumSource(IgnoredKey.class)
    void shouldAcceptAndNameKeysWithoutEffect(IgnoredKey key) throws IOException {
        ServerConfig config = read("[system]", key.key() + " = 10*4");
        assertThat(new Comparable(config))
                .isEqualTo(new Comparable(read("[system]", "brokerId = 0")));
        read("[system]", key.key() + " = 10*4");
        assertThat(file.notes())
                .containsExactly(key.key() + " = 10*4 has no effect: " + key.because());
    }

    // ---- files

    @Test
    void shouldReadAnIniFileOfMetaq() throws IOException {
        ServerConfig config =
                read(
                        "; a comment",
                        "[system]",
                        "brokerId=7",
                        "numPartitions=3",
                        "serverPort = 8124",
                        "dashboardHttpPort=8120",
                        "unflushThreshold=-1",
                        "unflushInterval=20000",
                        "maxSegmentSize=1024*1024*1024",
                        "maxTransferSize=1024*1024",
                        "maxMessageSize=1M + 4K",
                        "getProcessThreadCount=80",
                        "deletePolicy=delete,72",
                        "deleteWhen=0 0 6,18 * * ?",
                        "updateConsumerOffsets=true",
                        "[zookeeper]",
                        "zk.zkEnable=true",
                        "zk.zkConnect=host1:2181,host2:2181",
                        "zk.zkSessionTimeoutMs=2 * 15000",
                        "[topic=test]",
                        "[topic=a.b-*]",
                        "numPartitions = 2*2",
                        "stat=true",
                        "dataPath=" + directory.resolve("disk2"),
                        "group.my.group-1=org.example.Filter",
                        "[topic=queue@new%20orders]",
                        "acceptSubscribe=false");
        assertThat(config.broker().brokerId()).isEqualTo(7);
        assertThat(config.storage().unflushThreshold()).isZero();
        assertThat(config.broker().maxSegmentSizeBytes()).isEqualTo(1L << 30);
        assertThat(config.broker().maxMessageSizeBytes()).isEqualTo((1 << 20) + 4096);
        assertThat(config.network().port()).isEqualTo(8124);
        assertThat(config.zookeeper())
                .isEqualTo(
                        new ServerConfig.ZooKeeper(
                                true, "host1:2181,host2:2181", "/meta", 30_000, 30_000, 5_000));
        assertThat(file.notes()).hasSize(2);
        TopicCatalog topics = config.broker().topics();
        assertThat(topics.names()).containsExactly("test", "queue@new%20orders");
        assertThat(topics.of("test")).isEqualTo(topics.defaults());
        assertThat(topics.defaults().numPartitions()).isEqualTo(3);
        TopicSettings matched = topics.of("a.b-7");
        assertThat(matched.numPartitions()).isEqualTo(4);
        assertThat(matched.stat()).isTrue();
        assertThat(matched.filters()).isEqualTo(Map.of("my.group-1", "org.example.Filter"));
        assertThat(matched.dataPath()).isEqualTo(directory.resolve("disk2").toString());
        assertThat(matched.deletePolicy().ageMs()).isEqualTo(TimeUnit.HOURS.toMillis(72));
        assertThat(topics.of("queue@new%20orders").acceptSubscribe()).isFalse();
        assertThat(topics.isConfigured("axb-")).isFalse();
    }

    @Test
    void shouldRunAloneUnlessZooKeeperIsAskedFor() throws IOException {
        assertThat(read("[system]").zookeeper().enabled()).isFalse();
        assertThat(
                        read("[zookeeper]", "zk.zkEnable=false", "zk.zkConnect=localhost:2181")
                                .zookeeper()
                                .enabled())
                .isFalse();
    }

    @Test
    void shouldTellTheChecksumOfTheBytesAndWhereFiltersAre() throws IOException {
        ServerConfig config = read("[system]", "; caf\u00e9");
        CRC32 crc = new CRC32();
        crc.update("[system]\n; caf\u00e9".getBytes(StandardCharsets.UTF_8));
        assertThat(config.checksum()).isEqualTo(crc.getValue());
        assertThat(config.appClassPath())
                .isEqualTo(directory.toAbsolutePath().getParent().resolve("provided"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[system];numPartition=3 | unknown key 'numPartition'; did you mean 'numPartitions'",
                "[system];MaxMessageSize=3 | did you mean 'maxMessageSize'",
                "[system];quartzThreads=3 | did you mean 'quartzThreadCount'",
                "[system];brokerId=1024 | brokerId = 1024 is out of range; it must be 0..1023",
                "[system];serverPort=-1 | serverPort = -1 is out of range",
                "[system];serverPort=http | serverPort = 'http' is not a number",
                "[system];maxSegmentSize=1024** | is not a number",
                "[system];maxSegmentSize=9999999999G*9 | is not a number",
                "[system];autoCreateDestinations=yes | must be true or false",
                "[system];dataPath= | dataPath must not be empty",
                "[system];brokerId=1;brokerId=2 | set more than once",
                "[system];deletePolicy=remove,168 | \\[system\\]: deletePolicy 'remove,168' is not one of",
                "[system];deleteWhen=0 0 6 * * | deleteWhen = '0 0 6 \\* \\*' is no time",
                "[system];deleteWhen=0 0 25 * * ? | deleteWhen = '0 0 25 \\* \\* \\?' is no time",
                "[system];maxTransactionSize=1K | maxTransactionSize = 1024 is below maxMessageSize",
                "[topic=test];numPartition=3 | \\[topic=test\\]: unknown key 'numPartition'; did you mean 'numPartitions'",
                "[topic=test];brokerId=3 | \\[topic=test\\]: unknown key 'brokerId'",
                "[topic=test];numPartitions=0 | \\[topic=test\\]: numPartitions = 0 is out of range",
                "[topic=test];acceptPublish=1 | \\[topic=test\\]: acceptPublish = '1' must be",
                "[topic=test];deleteWhen=never | \\[topic=test\\]: deleteWhen = 'never'",
                "[topic=test];unflushInterval=0 | \\[topic=test\\]: unflushInterval = 0 is out",
                "[topic=test];group.=a.B | 'group. = a.B' must be group",
                "[topic=test];group.g= | 'group.g = ' must be group",
                "[topic=a b];stat=true | \\[topic=a b\\] is no name of a topic",
                "[topic=];stat=true | \\[topic=\\] is no name of a topic",
                "[topic=tempqueue@1];stat=true | \\[topic=tempqueue@1\\] is no name of a topic",
                "[topic=test];stat=true;[topic=test];stat=false | set more than once",
                "[zookeeper];zk.zkconect=localhost:2181 | \\[zookeeper\\]: unknown key 'zk.zkconect'; did you mean 'zk.zkConnect'",
                "[zookeeper];zk.zkEnable=true | \\[zookeeper\\] needs zk.zkConnect = host:port",
                "[zookeeper];zk.zkSessionTimeoutMs=0 | zk.zkSessionTimeoutMs = 0 is out of range",
                "[systme];brokerId=1 | unknown section \\[systme\\]",
                "brokerId=1 | 'brokerId' stands before any \\[section\\]",
            })
    void shouldRefuseWhatItCannotDoAndSayWhy(String text, String message) {
        assertThatThrownBy(() -> read(text.split(";")))
                .isInstanceOf(ConfigException.class)
                .hasMessageMatching("(?s).*" + message + ".*");
    }

    @Test
    void shouldReadTheFileOfTheDistributionAsDefaultsAndATopic() {
        Path path = Path.of("..", "..", "distribution", "src", "main", "conf", "server.ini");
        ConfigFile shipped = ConfigFile.read(path);
        assertThat(shipped.notes()).isEmpty();
        assertThat(shipped.topics()).containsOnlyKeys("test");
        ServerConfig config = ServerConfig.builder().file(shipped).build();
        ServerConfig defaults = ServerConfig.builder().build();
        assertThat(config.network()).isEqualTo(defaults.network());
        assertThat(config.storage()).isEqualTo(defaults.storage());
        assertThat(config.zookeeper()).isEqualTo(defaults.zookeeper());
        assertThat(config.broker().topics().defaults())
                .isEqualTo(defaults.broker().topics().defaults());
    }

    @Test
    void shouldRefuseADataPathInWhichNothingCanBeMade() throws IOException {
        Path file = Files.createFile(directory.resolve("a-file"));
        assertThatThrownBy(() -> read("[topic=t]", "dataPath=" + file.resolve("x")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a-file/x cannot be made");
    }

    @Test
    void shouldSayThatAFileIsNotThere() {
        Path missing = directory.resolve("missing.ini");
        assertThatThrownBy(() -> ConfigFile.read(missing))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("missing.ini");
    }

    // ---- numbers

    @ParameterizedTest
    @CsvSource({
        "7, 7",
        "1024*1024*1024, 1073741824",
        "64M, 67108864",
        "1G + 512M, 1610612736",
        "(1G + 512M) / 2, 805306368",
        "10 - 2 - 3, 5",
        "2 + 3 * 4, 14",
        "100 / 7 % 4, 2",
        "-5, -5",
        "-(2 K), -2048",
        "((3)), 3",
    })
    void shouldEvaluateExpressions(String text, long value) {
        assertThat(IntegerExpression.evaluate(text)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "1 +",
        "(1",
        "1)",
        "1 2",
        "1..2",
        "0x10",
        "5T",
        "1/0",
        "9999999999999999999",
        "9223372036854775807 + 1",
        "8G * 8G * 8G"
    })
    void shouldRefuseWhatIsNoExpression(String text) {
        assertThatThrownBy(() -> IntegerExpression.evaluate(text))
                .isInstanceOfAny(NumberFormatException.class, ArithmeticException.class)
                .hasMessageMatching(".+");
    }

    @Test
    void shouldRefuseNestingThatWouldUseUpTheStack() {
        assertThatThrownBy(() -> IntegerExpression.evaluate("(".repeat(100_000)))
                .isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> IntegerExpression.evaluate("-".repeat(100_000) + "1"))
                .isInstanceOf(NumberFormatException.class);
    }
}
