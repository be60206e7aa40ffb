package org.metaq.tck;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * The connection factories and destinations that the TCK looks up by name. Where no other porting
 * class is named, it takes them from the initial JNDI context; so a {@code jndi.properties} on the
 * class path is all that it needs. Stateless.
 */
final class AdministeredObjects {
    private static final List<String> QUEUES =
            List.of("MY_QUEUE", "MY_QUEUE2", "testQ0", "testQ1", "testQ2", "testQueue2", "Q2");
    private static final List<String> TOPICS =
            List.of("MY_TOPIC", "MY_TOPIC2", "testT0", "testT1", "testT2");
    private static final List<String> FACTORIES =
            List.of("MyConnectionFactory", "MyQueueConnectionFactory", "MyTopicConnectionFactory");

    /** The one whose connections have a client id. */
    private static final String DURABLE_FACTORY = "DURABLE_SUB_CONNECTION_FACTORY";

    private static final String CLIENT_ID = "cts";

    /** No test is about these; a busy machine, and a broker that has just started, may be slow. */
    private static final String TIMEOUTS = "connectTimeout=90000&callTimeout=90000";

    private AdministeredObjects() {}

    /**
     * Writes {@code jndi.properties}.
     *
     * @param directory where; it goes on the class path
     * @param port of the broker on this machine
     */
    static void write(Path directory, int port) throws IOException {
        String uri = "metaq://127.0.0.1:" + port + "?" + TIMEOUTS;
        Properties names = new Properties();
        names.setProperty(
                "java.naming.factory.initial", "org.metaq.jms.jndi.MetaQInitialContextFactory");
        names.setProperty("java.naming.provider.url", uri);
        QUEUES.forEach(name -> names.setProperty("queue." + name, name));
        TOPICS.forEach(name -> names.setProperty("topic." + name, name));
        FACTORIES.forEach(name -> names.setProperty("connectionFactory." + name, uri));
        names.setProperty("connectionFactory." + DURABLE_FACTORY, uri + "&clientId=" + CLIENT_ID);
        try (Writer file = Files.newBufferedWriter(directory.resolve("jndi.properties"))) {
            names.store(file, null);
        }
    }
}
