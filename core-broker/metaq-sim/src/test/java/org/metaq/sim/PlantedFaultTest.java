package org.metaq.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.metaq.sim.FaultyDirectory.Fault;

/** The simulation finds faults that are put there on purpose, within so many seeds. */
class PlantedFaultTest {
    private static SeedFailure find(int seeds, UnaryOperator<SimOptions> plant) {
        SimulationRunner runner = new SimulationRunner(SimulationRunner.Mode.FILE, line -> {});
        for (long seed = 1; seed <= seeds; seed++) {
            try {
                runner.runFile(seed, plant);
            } catch (SeedFailure e) {
                return e;
            }
        }
        return fail("the planted fault was not found by " + seeds + " seeds");
    }

    private static UnaryOperator<SimOptions> faulty(Fault fault, String prefix, int period) {
        return options ->
                options.withDirectory(
                        disk ->
                                new FaultyDirectory(
                                        disk, fault, path -> path.startsWith(prefix), period));
    }

    @Test
    void shouldFindAJournalThatSkipsOneForceInThreeWithinTwentySeeds() {
        assertThat(find(20, faulty(Fault.SKIPPED, "journal/", 3)))
                .message()
                .containsAnyOf(
                        "the broker shows what no cut allows", "the broker does not start again");
    }

    @Test
    void shouldFindAJournalThatSkipsOneForceInTenWithinAHundredSeeds() {
        assertThat(find(100, faulty(Fault.SKIPPED, "journal/", 10)))
                .hasMessageContaining("replay with: ./metaq simulate --seed");
    }

    @Test
    void shouldFindAnswersBeforeTheForceWithinTwentySeeds() {
        assertThat(find(20, faulty(Fault.LATE, "journal/", 1)))
                .hasMessageContaining("replay with: ./metaq simulate --seed");
    }

    @Test
    void shouldFindCommitsThatAreAnsweredWithoutAForceWithinFiftySeeds() {
        assertThat(find(50, options -> options.withSecretPolicies(0, 0)))
                .hasMessageContaining("POWER_LOSS");
    }

    @Test
    void shouldFindSendsThatAreAnsweredWithoutAForceWithinFiftySeeds() {
        assertThat(find(50, options -> options.withSecretPolicies(1, 1000)))
                .hasMessageContaining("POWER_LOSS");
    }

    @Test
    void shouldFindPartitionLogsThatAreNotForcedAtACheckpointWithinTwentySeeds() {
        assertThat(find(20, faulty(Fault.SKIPPED, "topics/", 2))).hasMessageContaining("topics/");
    }

    @Test
    void shouldFindSpillFilesThatAreNotForcedAtACheckpointWithinTwentySeeds() {
        assertThat(find(20, faulty(Fault.SKIPPED, "spill/", 1))).hasMessageContaining("spill/");
    }

    @Test
    void shouldFindOutcomesAndProducersThatAreForgottenWithinFiveSeeds() {
        assertThat(find(5, options -> options.withRetentionMs(500)))
                .message()
                .containsAnyOf("is null, not", "the repeated send");
    }
}
