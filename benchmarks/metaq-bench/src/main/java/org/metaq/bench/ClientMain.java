package org.metaq.bench;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.XAConnectionFactory;
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
        for (String name : settings.workloads()) {
            Workload workload = Workloads.named(name);
            Context itsContext =
                    name.equals(WarmUp.NAME) ? context.during(settings.warmUpTimes()) : context;
            // The broker of a backlog was just started: all of that counts.
            if (!(workload instanceof BacklogPhase)) {
                Quiet.await(broker.pid());
                Usage.restartPeak(broker.pid());
            }
            if (!ClientSession.runWorkload(name, () -> workload.run(itsContext))) {
                return;
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
