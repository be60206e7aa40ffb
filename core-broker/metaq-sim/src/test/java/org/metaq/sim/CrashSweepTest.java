package org.metaq.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A crash at every write and every force of short workloads. */
class CrashSweepTest {
    @Test
    void shouldKeepItsPromisesWhereverTheMachineStops() {
        long crashes = 0;
        for (long seed : new long[] {2, 3, 35}) {
            CrashSweep sweep = new CrashSweep(seed, SimulationRunner.SWEEP_STEPS, o -> o);
            sweep.run(1);
            crashes += sweep.crashes();
        }
        assertThat(crashes).isGreaterThan(400);
    }
}
