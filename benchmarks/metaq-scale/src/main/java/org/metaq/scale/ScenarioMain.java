package org.metaq.scale;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Path;
import org.metaq.bench.BenchException;
import org.metaq.bench.BrokerProcess;

/**
 * Main class of the process of one scenario: starts its broker, is its clients, writes progress and
 * measures to standard output. Arguments: scenario, factor, message length, directory, home of the
 * distribution, options of the broker's JVM.
 */
final class ScenarioMain {
    private ScenarioMain() {}

    /** Runs the scenario. Exit status: 0, or 1 if it could not be run to its end. */
    public static void main(String[] args) throws InterruptedException {
        Run.Size size = new Run.Size(Double.parseDouble(args[1]), Integer.parseInt(args[2]));
        BrokerProcess.Launch launch = BrokerProcess.Launch.distribution(Path.of(args[4]), args[5]);
        try (BrokerProcess broker = BrokerProcess.start(launch, Path.of(args[3]))) {
            Scenario.valueOf(args[0]).run(new Run(size, broker, System.out));
        } catch (JMSException | IOException | BenchException e) {
            System.err.println("metaq scale: " + e);
            System.exit(1);
        }
    }
}
