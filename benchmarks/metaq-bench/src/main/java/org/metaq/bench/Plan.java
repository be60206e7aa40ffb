package org.metaq.bench;

import java.nio.file.Path;
import java.util.List;

/**
 * What is run in every round. Immutable.
 *
 * @param workloads names, in this order
 * @param warmUpJvmSeconds before the first workload
 * @param warmUpSeconds before each measured time
 * @param seconds measured
 * @param backlogCount messages of the large backlog
 * @param clientOptions further options of the client's JVM
 * @param managerJars folder of the transaction manager's jars; empty if none is needed
 * @param classicJars folder of the original client's jars; empty if they are not needed
 * @param data directory below which brokers store
 */
record Plan(
        List<String> workloads,
        double warmUpJvmSeconds,
        double warmUpSeconds,
        double seconds,
        int backlogCount,
        List<String> clientOptions,
        String managerJars,
        String classicJars,
        Path data) {
    Plan {
        workloads = List.copyOf(workloads);
        clientOptions = List.copyOf(clientOptions);
    }
}
