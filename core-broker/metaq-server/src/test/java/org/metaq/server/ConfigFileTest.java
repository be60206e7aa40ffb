package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metaq.broker.BrokerConfig;

class ConfigFileTest {
    @TempDir Path directory;

    private List<String> notes;

    private ServerConfig read(String... lines) throws IOException {
        Path file = directory.resolve("server.ini");
        Files.writeString(file, String.join("\n", lines));
        ServerConfig.Builder builder = ServerConfig.builder();
        notes = ConfigFile.read(file, builder);
        return builder.build();
    }

    @Test
    void shouldHaveTheDocumentedDefaults() {
        ServerConfig config = ServerConfig.builder().build();
        assertThat(config.broker()).isEqualTo(BrokerConfig.defaults(0));
        assertThat(config.network().port()).isEqualTo(8123);
        assertThat(config.storage().dataPath())
                .isEqualTo(Path.of(System.getProperty("user.home"), "meta"));
        assertThat(config.storage().unflushThreshold()).isZero();
        assertThat(config.network().maxInflightBytes()).isBetween(1L << 20, 64L << 20);
    }

    @Test
    void shouldAcceptEachDefaultWhenItIsWrittenOut() {
        ServerConfig.Builder builder = ServerConfig.builder();
        for (ConfigKey key : ConfigKey.values()) {
            builder.set(key, key.defaultValue());
        }
        assertThat(builder.build()).isEqualTo(ServerConfig.builder().build());
    }

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
                        "unflushThreshold=0",
                        "unflushInterval=20000",
                        "maxSegmentSize=1024*1024*1024",
                        "maxTransferSize=1024*1024",
                        "maxMessageSize=1M + 4K",
                        "getProcessThreadCount=80",
                        "deleteWhen=0 0 6,18 * * ?",
                        "[zookeeper]",
                        "zk.zkEnable=false",
                        "zk.zkConnect=localhost:2181");
        assertThat(config.broker().brokerId()).isEqualTo(7);
        assertThat(config.broker().topics().defaults().numPartitions()).isEqualTo(3);
        assertThat(config.broker().maxSegmentSizeBytes()).isEqualTo(1L << 30);
        assertThat(config.broker().maxMessageSizeBytes()).isEqualTo((1 << 20) + 4096);
        assertThat(config.network().port()).isEqualTo(8124);
        assertThat(notes).anyMatch(note -> note.contains("getProcessThreadCount"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[system];numPartition=3 | unknown key 'numPartition' .* did you mean 'numPartitions'",
                "[system];MaxMessageSize=3 | did you mean 'maxMessageSize'",
                "[system];brokerId=1024 | brokerId = 1024 is out of range; it must be 0..1023",
                "[system];serverPort=-1 | serverPort = -1 is out of range",
                "[system];serverPort=http | serverPort = 'http' is not a number",
                "[system];maxSegmentSize=1024** | is not a number",
                "[system];maxSegmentSize=9999999999G*9 | is not a number",
                "[system];autoCreateDestinations=yes | must be true or false",
                "[system];dataPath= | dataPath must not be empty",
                "[system];brokerId=1;brokerId=2 | set more than once",
                "[system];deletePolicy=delete,168 | deletePolicy = delete,168 is not supported yet",
                "[system];acceptPublish=false | not supported yet",
                "[system];maxTransactionSize=1K | maxTransactionSize = 1024 is below maxMessageSize",
                "[topic=test];numPartitions=3 | 'numPartitions' in \\[topic=test\\] is not supported",
                "[zookeeper];zk.zkConnect=localhost:2181 | \\[zookeeper\\] is not supported yet",
                "[systme];brokerId=1 | unknown section \\[systme\\]",
                "brokerId=1 | 'brokerId' stands before any \\[section\\]",
            })
    void shouldRefuseWhatItCannotDoAndSayWhy(String file, String message) {
        assertThatThrownBy(() -> read(file.split(";")))
                .isInstanceOf(ConfigException.class)
                .hasMessageMatching("(?s).*" + message + ".*");
    }

    @Test
    void shouldReadTheFileOfTheDistributionAsAllDefaults() {
        Path file = Path.of("..", "..", "distribution", "src", "main", "conf", "server.ini");
        ServerConfig.Builder builder = ServerConfig.builder();
        assertThat(ConfigFile.read(file, builder)).isEmpty();
        assertThat(builder.build()).isEqualTo(ServerConfig.builder().build());
    }

    @Test
    void shouldSayThatAFileIsNotThere() {
        Path missing = directory.resolve("missing.ini");
        assertThatThrownBy(() -> ConfigFile.read(missing, ServerConfig.builder()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("missing.ini");
    }
}
