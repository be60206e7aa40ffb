package org.metaq.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Hundreds of seeds; a failure's message has the seed and the command that replays it. */
class BrokerSimulationTest {
    private static final int FILE_SEEDS = 200;
    private static final int MODEL_SEEDS = 100;

    @Test
    void shouldKeepItsPromisesOverTheFileJournalThroughCrashesOfEveryKind() {
        SimulationRunner runner = new SimulationRunner(SimulationRunner.Mode.FILE, line -> {});
        for (long seed = 1; seed <= FILE_SEEDS; seed++) {
            runner.runFile(seed, options -> options);
        }
        assertThat(runner.summary()).startsWith("simulation OK");
    }

    @Test
    void shouldKeepItsPromisesOverAReplicatedJournalThroughChangesOfTheLeader() {
        SimulationRunner runner = new SimulationRunner(SimulationRunner.Mode.MODEL, line -> {});
        runner.run(1, MODEL_SEEDS);
        assertThat(runner.summary()).contains(MODEL_SEEDS + " seeds");
    }

    @Test
    void shouldDoTheSameForTheSameSeed() {
        Simulation first = new Simulation(42);
        first.run(SimulationRunner.STEPS);
        Simulation second = new Simulation(42);
        second.run(SimulationRunner.STEPS);
        Simulation other = new Simulation(43);
        other.run(SimulationRunner.STEPS);
        assertThat(second.trace().hash()).isEqualTo(first.trace().hash());
        assertThat(second.points()).isEqualTo(first.points());
        assertThat(other.trace().hash()).isNotEqualTo(first.trace().hash());
        ReplicaSimulation led = new ReplicaSimulation(42);
        led.run(SimulationRunner.STEPS);
        ReplicaSimulation ledAgain = new ReplicaSimulation(42);
        ledAgain.run(SimulationRunner.STEPS);
        assertThat(ledAgain.trace().hash()).isEqualTo(led.trace().hash());
    }

    @Test
    void shouldPassThroughEveryMechanism() {
        Map<String, Integer> counts = new TreeMap<>();
        for (long seed = 1; seed <= 40; seed++) {
            Simulation run = new Simulation(seed);
            run.run(SimulationRunner.STEPS);
            run.trace().counts().forEach((kind, count) -> counts.merge(kind, count, Integer::sum));
        }
        assertThat(counts)
                .containsKeys(
                        "acknowledge",
                        "release delivered",
                        "release undelivered",
                        "repeat Send",
                        "sends in pieces",
                        "commit TX",
                        "rollback TX",
                        "JOIN XID",
                        "end SUSPEND XID",
                        "end FAIL XID",
                        "prepare XID",
                        "commit one phase XID",
                        "commit prepared XID",
                        "commit again TX",
                        "commit again XID",
                        "rollback XID",
                        "recover",
                        "unsubscribe",
                        "close consumer of",
                        "create temporary queue",
                        "is lost",
                        "clean stop",
                        "again",
                        "low on space",
                        "overtakes",
                        "trimmed t",
                        "trimmed queue",
                        "due in t",
                        "due in queue",
                        "due in tempqueue",
                        "the broker stops",
                        "the wall clock jumps by");
        assertThat(counts.keySet())
                .as("stops at writes and forces of every part of the store")
                .anyMatch(kind -> kind.startsWith("KILLED at write journal"))
                .anyMatch(kind -> kind.startsWith("KILLED at write topics"))
                .anyMatch(kind -> kind.contains("checkpoints"))
                .anyMatch(kind -> kind.contains("spill"));
    }
}
