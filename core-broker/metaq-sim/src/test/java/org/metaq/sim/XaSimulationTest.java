package org.metaq.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.sim.XaSimulation.Fault;

/** Two brokers and their transaction managers; a failure's message has the seed. */
class XaSimulationTest {
    private static final int SEEDS = 50;

    @Test
    void shouldEndEachGlobalTransactionEverywhereOrNowhere() {
        SimulationRunner runner = new SimulationRunner(SimulationRunner.Mode.XA, line -> {});
        runner.run(1, SEEDS);
        assertThat(runner.summary()).startsWith("simulation OK: " + SEEDS + " seeds");
    }

    @Test
    void shouldDoTheSameForTheSameSeed() {
        assertThat(hash(42)).isEqualTo(hash(42)).isNotEqualTo(hash(43));
    }

    private static long hash(long seed) {
        XaSimulation run = new XaSimulation(seed, Fault.NONE);
        run.run(SimulationRunner.XA_STEPS);
        return run.trace().hash();
    }

    @Test
    void shouldPassThroughEveryMechanism() {
        Map<String, Integer> counts = new TreeMap<>();
        for (long seed = 1; seed <= 20; seed++) {
            XaSimulation run = new XaSimulation(seed, Fault.NONE);
            run.run(SimulationRunner.XA_STEPS);
            run.trace().counts().forEach((kind, count) -> counts.merge(kind, count, Integer::sum));
        }
        assertThat(counts)
                .containsKeys(
                        "cut of m",
                        "clean stop of b",
                        "KILLED of b",
                        "KILLED of m",
                        "commit by hand of m",
                        "rollback by hand of m",
                        "forget m",
                        "recover over m",
                        "once more",
                        "release of m",
                        "end FAIL m",
                        "answer done to prepare m",
                        "answer done to commit m",
                        "answer done to commit one phase m",
                        "answer done to rollback m",
                        "answer CONNECTION LOST to start m",
                        "answer CONNECTION LOST to send",
                        "answer CONNECTION LOST to receive in m",
                        "answer CONNECTION LOST to end SUCCESS m",
                        "answer CONNECTION LOST to prepare m",
                        "answer CONNECTION LOST to commit m",
                        "answer CONNECTION LOST to commit one phase m",
                        "answer CONNECTION LOST to rollback m",
                        "answer CONNECTION LOST to recover",
                        "answer XA RBTIMEOUT to prepare m",
                        "answer XA RBROLLBACK to commit one phase m",
                        "answer XAER NOTA to rollback m");
    }

    // ---- planted faults

    @Test
    void shouldFindOutcomesThatAreForgottenWithinFiveSeeds() {
        assertThat(find(5, of(options -> options.withRetentionMs(500))))
                .hasMessageContaining("XAER_NOTA")
                .hasMessageContaining("replay with: ./metaq simulate --seed");
    }

    @Test
    void shouldFindPreparesThatAreAnsweredBeforeTheyAreForcedWithinTwentySeeds() {
        assertThat(find(20, of(options -> options.withSecretPolicies(0, 0))))
                .hasMessageContaining("replay with: ./metaq simulate --seed");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldFindARecoverThatLeavesABranchOutWithinThirtySeeds(int leastListed) {
        Fault fault =
                new Fault(
                        options -> options,
                        keys ->
                                keys.lines()
                                        .skip(keys.lines().count() < leastListed ? 0 : 1)
                                        .collect(Collectors.joining("\r\n")));
        assertThat(find(30, fault)).hasMessageContaining("replay with: ./metaq simulate --seed");
    }

    private static SeedFailure find(int seeds, Fault fault) {
        SimulationRunner runner = new SimulationRunner(SimulationRunner.Mode.XA, line -> {});
        for (long seed = 1; seed <= seeds; seed++) {
            try {
                runner.runXa(seed, fault);
            } catch (SeedFailure e) {
                return e;
            }
        }
        return fail("the planted fault was not found by " + seeds + " seeds");
    }

    private static Fault of(UnaryOperator<SimOptions> options) {
        return new Fault(options, text -> text);
    }
}
