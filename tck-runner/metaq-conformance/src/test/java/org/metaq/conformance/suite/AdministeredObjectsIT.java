package org.metaq.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.spi.ObjectFactory;
import org.junit.jupiter.api.Test;
import org.metaq.conformance.Spec;

/** §5: connection factories and destinations as objects; and §2.14: used by several threads. */
class AdministeredObjectsIT extends ConformanceTest {
    private static Object copy(Object object) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    /** What a name service makes of the reference of an object. */
    private static Object looked(Referenceable object) throws Exception {
        Reference reference = object.getReference();
        List<RefAddr> addresses = new ArrayList<>();
        reference.getAll().asIterator().forEachRemaining(addresses::add);
        assertThat(addresses).isNotEmpty();
        ObjectFactory factory =
                Class.forName(reference.getFactoryClassName())
                        .asSubclass(ObjectFactory.class)
                        .getConstructor()
                        .newInstance();
        return factory.getObjectInstance(reference, null, null, null);
    }

    @Test
    @Spec("5.1")
    void shouldSerializeDestinations() throws Exception {
        for (Destination destination : new Destination[] {newQueue(), newTopic()}) {
            assertThat(destination).isInstanceOf(Serializable.class);
            assertThat(copy(destination)).isEqualTo(destination);
        }
    }

    @Test
    @Spec("5.1")
    void shouldSerializeConnectionFactories() throws Exception {
        ConnectionFactory copy = (ConnectionFactory) copy(provider().connectionFactory());

        try (JMSContext context = copy.createContext()) {
            Queue queue = newQueue();
            context.createProducer().send(queue, "a");
            assertThat(context.createConsumer(queue).receiveBody(String.class, PATIENCE_MS))
                    .isEqualTo("a");
        }
    }

    @Test
    @Spec("5.1")
    void shouldReferToDestinations() throws Exception {
        for (Destination destination : new Destination[] {newQueue(), newTopic()}) {
            assertThat(destination).isInstanceOf(Referenceable.class);
            assertThat(looked((Referenceable) destination)).isEqualTo(destination);
        }
    }

    @Test
    @Spec({"5.1", "2.12.1"})
    void shouldReferToConnectionFactories() throws Exception {
        ConnectionFactory factory = provider().connectionFactory();
        assertThat(factory).isInstanceOf(Referenceable.class);
        ConnectionFactory found = (ConnectionFactory) looked((Referenceable) factory);

        try (Connection connection = found.createConnection()) {
            assertThat(connection.getMetaData().getJMSMajorVersion()).isPositive();
        }
    }

    @Test
    @Spec({"5.2", "4.1.4", "4.2.6"})
    void shouldDescribeDestinations() throws Exception {
        assertThat(newQueue().toString()).isNotBlank();
        assertThat(newTopic().toString()).isNotBlank();
        assertThat(newQueue()).isNotEqualTo(newQueue());
    }

    @Test
    @Spec({"5.2", "5.3", "2.14"})
    void shouldServeSeveralThreads() throws Exception {
        ConnectionFactory factory = provider().connectionFactory();
        Queue queue = newQueue();
        Connection connection = connect();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> senders = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                senders.add(
                        threads.submit(
                                () -> {
                                    try (Connection own = factory.createConnection()) {
                                        send(own.createSession(), queue, "own");
                                    }
                                    send(connection.createSession(), queue, "shared");
                                    return null;
                                }));
            }
            for (Future<?> sender : senders) {
                await(sender);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(drain(queue)).hasSize(16);
    }
}
