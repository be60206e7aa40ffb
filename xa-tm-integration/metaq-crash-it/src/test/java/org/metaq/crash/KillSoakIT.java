package org.metaq.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.soak.KillSoak;

@Timeout(3600)
class KillSoakIT {
    private static final int KILLS = Scale.of(30, 200);
    private static final long SEED = Long.getLong("crash.seed", System.nanoTime());

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Test
    void shouldMoveEachMessageOnceOverTwoBrokersAndADatabaseThroughRandomKills() throws Exception {
        System.out.println("-Dcrash.seed=" + SEED);
        try (KillSoak soak = new KillSoak(directory, null, SEED)) {
            KillSoak.Result result =
                    soak.run(
                            KILLS,
                            Duration.ZERO,
                            (kills, transactions) ->
                                    System.out.println(
                                            kills + " kills, " + transactions + " transactions"));
            System.out.println(result);
            assertThat(result).matches(KillSoak.Result::isOk);
        }
    }
}
