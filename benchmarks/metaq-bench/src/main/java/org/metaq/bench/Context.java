package org.metaq.bench;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.XAConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a workload runs with. Immutable.
 *
 * @param factory of the provider
 * @param xaFactory of the provider; null if it has none
 * @param brokerPid process of the broker; 0 if it is not known
 * @param times how long
 * @param directory on the disk that is measured, for files of the client
 * @param backlogCount messages of the workload with a large backlog
 */
record Context(
        ConnectionFactory factory,
        @Nullable XAConnectionFactory xaFactory,
        long brokerPid,
        Times times,
        Path directory,
        int backlogCount) {
    /**
     * How long a workload takes.
     *
     * @param warmUpNs before anything is measured
     * @param measuredNs measured time
     */
    record Times(long warmUpNs, long measuredNs) {
        /** Half of both. */
        Times halved() {
            return shared(2);
        }

        /** One of so many equal shares. */
        Times shared(int shares) {
            return new Times(warmUpNs / shares, measuredNs / shares);
        }
    }

    /** Begins to measure what the broker and this process use. */
    Window window() throws IOException {
        return new Window(brokerPid);
    }

    /** The same for other times. */
    Context during(Times other) {
        return new Context(factory, xaFactory, brokerPid, other, directory, backlogCount);
    }
}
