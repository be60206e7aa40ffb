package org.metaq.bench;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Main class of the JVM of a Jakarta Messaging client: runs workloads until one fails. Arguments:
 * see {@link ClientSettings}; what it prints and reads: {@link ClientSession}.
 */
public final class ClientMain {
    private ClientMain() {}

    /** Runs the workloads, and ends the process. */
    public static void main(String[] args) {
        ClientSession.run(() -> run(ClientSettings.parse(List.of(args))));
    }

    private static void run(ClientSettings settings) throws Exception {
        Class.forName(settings.factoryClass());
        ClientSession.BrokerAddress broker = ClientSession.awaitBroker();
        Context context =
                new Context(
                        factory(settings.factoryClass(), broker.uri(), ConnectionFactory.class),
                        settings.xaFactoryClass().isEmpty()
                                ? null
                                : factory(
                                        settings.xaFactoryClass(),
                                        broker.uri(),
                                        XAConnectionFactory.class),
                        broker.pid(),
                        settings.times(),
                        Path.of(settings.directory()),
                        settings.backlogCount());
        warmUp(context, settings);
        for (String name : settings.workloads()) {
            Workload workload = Workloads.named(name);
            // The broker of a backlog was just started: its peak is that since then.
            if (!(workload instanceof BacklogPhase)) {
                Usage.restartPeak(broker.pid());
            }
            if (!ClientSession.runWorkload(name, () -> workload.run(context))) {
                return;
            }
        }
    }

    private static void warmUp(Context context, ClientSettings settings)
            throws BenchException, InterruptedException, IOException, JMSException {
        if (settings.warmUpJvmSeconds() > 0) {
            List<Workload> warmUps = Workloads.warmUps();
            for (Workload workload : warmUps) {
                workload.run(context.during(settings.warmUpTimes(warmUps.size())));
            }
        }
    }

    private static <T> T factory(String className, String uri, Class<T> type)
            throws ReflectiveOperationException {
        return Class.forName(className)
                .asSubclass(type)
                .getConstructor(String.class)
                .newInstance(uri);
    }
}
