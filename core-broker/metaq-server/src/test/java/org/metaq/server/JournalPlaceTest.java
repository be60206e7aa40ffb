package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

class JournalPlaceTest {
    @TempDir Path temp;

    private ServerConfig config(Path dataLogPath) {
        ServerConfig c =
                ServerConfig.builder()
                        .set(ConfigKey.BROKER_ID, "1")
                        .dataPath(temp.resolve("data"))
                        .build();
        ServerConfig.Storage s = c.storage();
        return new ServerConfig(
                c.broker(),
                c.network(),
                new ServerConfig.Storage(
                        s.dataPath(),
                        dataLogPath,
                        s.flushTxLogAtCommit(),
                        s.unflushThreshold(),
                        s.unflushIntervalMs(),
                        s.journalSegmentSizeBytes()),
                c.zookeeper(),
                c.security(),
                c.inDoubtAlarmAgeMs(),
                c.appClassPath(),
                c.file());
    }

    private static void startAndStop(ServerConfig config) {
        StoreBrokerCore core = StoreBrokerCore.open(config, () -> {});
        core.doWork();
        core.close();
    }

    @Test
    void shouldKeepTheJournalOfANewDataDirectoryWhereDataLogPathSays() throws IOException {
        Path place = temp.resolve("fast disk");

        startAndStop(config(place));

        assertThat(place.resolve("journal")).isNotEmptyDirectory();
        assertThat(temp.resolve("data/journal")).isSymbolicLink();
        Path file = Files.createTempFile(place, "foreign", "");
        startAndStop(config(place));
        assertThat(file).exists();
        assertThat(place.resolve("journal.2")).doesNotExist();
    }

    @Test
    void shouldGoOnWithTheJournalThatIsThereWhenDataLogPathChanges() {
        Path place = temp.resolve("fast disk");
        startAndStop(config(place));
        Path later = temp.resolve("later");

        startAndStop(config(later));
        startAndStop(config(temp.resolve("data")));

        assertThat(later.resolve("journal")).doesNotExist();
        assertThat(place.resolve("journal")).isNotEmptyDirectory();
    }
}
