package com.sun.ts.tests.jms.core.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnectionFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.naming.InitialContext;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/**
 * Stands in for the TCK, of which nothing is here: tests of ours in the TCK's package. Run by
 * {@code TckRunIT} alone, in JVMs of its own. The methods stand in no alphabetical order.
 */
// As the TCK does it; the names are those that the runner wrote.
@SuppressWarnings("BanJNDI")
class SampleClient {
    private static final List<String> RUN = new ArrayList<>();

    @Test
    void sendsToTheQueue() throws Exception {
        RUN.add("sendsToTheQueue");
        InitialContext names = new InitialContext();
        ConnectionFactory factory =
                (QueueConnectionFactory) names.lookup("MyQueueConnectionFactory");
        jakarta.jms.Queue queue = (jakarta.jms.Queue) names.lookup("MY_QUEUE");
        String user = System.getProperty("user");
        try (JMSContext context = factory.createContext(user, System.getProperty("password"))) {
            context.createProducer().send(queue, "text");
            long timeoutMs = Long.parseLong(System.getProperty("jms_timeout"));
            assertThat(context.createConsumer(queue).receiveBody(String.class, timeoutMs))
                    .isEqualTo("text");
        }
    }

    @Test
    void hasAClientId() throws Exception {
        RUN.add("hasAClientId");
        InitialContext names = new InitialContext();
        ConnectionFactory factory =
                (TopicConnectionFactory) names.lookup("DURABLE_SUB_CONNECTION_FACTORY");
        assertThat(names.lookup("MY_TOPIC")).isInstanceOf(Topic.class);
        try (JMSContext context = factory.createContext()) {
            assertThat(context.getClientID()).isEqualTo("cts");
        }
    }

    @Test
    void isRefusedWithoutTheRightPassword() throws Exception {
        RUN.add("isRefusedWithoutTheRightPassword");
        ConnectionFactory factory =
                (ConnectionFactory) new InitialContext().lookup("MyConnectionFactory");
        assertThatThrownBy(() -> factory.createContext("invalid", "invalid"))
                .isInstanceOf(JMSSecurityRuntimeException.class);
    }

    @Test
    void fails() {
        RUN.add("fails");
        System.out.println("printed before the failure");
        throw new IllegalStateException("as it should\nin two lines");
    }

    @Test
    void cameInSourceOrder() {
        assertThat(RUN)
                .containsExactly(
                        "sendsToTheQueue",
                        "hasAClientId",
                        "isRefusedWithoutTheRightPassword",
                        "fails");
    }

    @Test
    void endsItsJvm() {
        Runtime.getRuntime().halt(5);
    }

    @Test
    void doesNotEnd() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Test
    @Disabled("to see it counted")
    void isDisabled() {}

    @Test
    void beginsAnewAfterwards() {
        assertThat(RUN).isEmpty();
    }

    @Test
    void isExcluded() {
        throw new IllegalStateException("excluded, and run all the same");
    }
}
