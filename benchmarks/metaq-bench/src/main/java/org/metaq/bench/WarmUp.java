package org.metaq.bench;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.List;

/**
 * What a client runs before its first workload, so that both JVMs have compiled what the workloads
 * use: a bit of each kind, at the highest rates, and last what the first workload does. Measures
 * nothing. Immutable.
 *
 * @param parts run one after the other, each in an equal share of the time
 */
record WarmUp(List<Workload> parts) implements Workload {
    /** Its name. */
    static final String NAME = "warm-up";

    WarmUp {
        parts = List.copyOf(parts);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "a bit of each kind, for the compilers of both JVMs";
    }

    @Override
    public List<String> rows() {
        return List.of();
    }

    /**
     * Runs all parts, in the time of the context's warm-up. The first one must work; of others it
     * is told that the provider cannot do them.
     */
    @Override
    public List<Measurement> run(Context context)
            throws BenchException, InterruptedException, IOException, JMSException {
        Context share = context.during(context.times().shared(parts.size()));
        for (Workload part : parts) {
            try {
                part.run(share);
            } catch (BenchException | JMSException e) {
                if (part == parts.get(0)) {
                    throw e;
                }
                ClientSession.note(part.name() + " failed: " + e.getMessage());
            }
        }
        return List.of();
    }
}
