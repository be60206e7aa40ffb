package org.metaq.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.metaq.interop.ClassicClient.send;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.producer.MessageProducer;
import com.taobao.metamorphosis.client.producer.XAMessageProducer;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.transaction.xa.XAResource;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;

/** JMS clients and MetaQ's client on the same topics at the same time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JmsInteropIT {
    private static final long PATIENCE_MS = 20_000;

    private TestingServer zookeeper;
    private OurServer server;
    private ClassicClient classic;
    private Connection connection;
    private Session session;

    @BeforeAll
    void startServers(@TempDir Path directory) throws Exception {
        zookeeper = new TestingServer();
        ServerIni ini = new ServerIni(0, zookeeper.getConnectString());
        for (String topic : List.of("tojms", "toclassic", "transacted", "queue@work")) {
            ini.topic(topic, 1);
        }
        server = OurServer.start(directory, ini);
    }

    @AfterAll
    void stopServers() throws Exception {
        server.close();
        zookeeper.close();
    }

    @BeforeEach
    void connect() throws Exception {
        classic = new ClassicClient(zookeeper.getConnectString());
        connection =
                new MetaQConnectionFactory("metaq://127.0.0.1:" + server.port()).createConnection();
        connection.start();
        session = connection.createSession();
    }

    @AfterEach
    void disconnect() throws Exception {
        connection.close();
        classic.close();
    }

    @Test
    void shouldReadAClassicMessageAsBytesWithItsAttributeAsAProperty() throws Exception {
        MessageConsumer consumer = session.createConsumer(session.createTopic("tojms"));
        MessageProducer producer = classic.producer("tojms");
        send(producer, new Message("tojms", "with".getBytes(UTF_8), "the attribute"));
        send(producer, "tojms", "without");

        BytesMessage with = (BytesMessage) consumer.receive(PATIENCE_MS);
        assertThat(bytes(with)).isEqualTo("with".getBytes(UTF_8));
        assertThat(with.getStringProperty("metaq_attribute")).isEqualTo("the attribute");
        assertThat(with.getJMSMessageID()).startsWith("ID:metaq-");
        assertThat(with.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(with.getJMSPriority()).isEqualTo(4);
        assertThat(with.getJMSTimestamp()).isZero();
        assertThat(with.getJMSExpiration()).isZero();
        BytesMessage without = (BytesMessage) consumer.receive(PATIENCE_MS);
        assertThat(bytes(without)).isEqualTo("without".getBytes(UTF_8));
        assertThat(without.propertyExists("metaq_attribute")).isFalse();
    }

    private static byte[] bytes(BytesMessage message) throws Exception {
        byte[] body = new byte[(int) message.getBodyLength()];
        message.readBytes(body);
        return body;
    }

    @Test
    void shouldShowTheClassicClientThePlainBodyOfBytesAndTextMessages() throws Exception {
        var producer = session.createProducer(session.createTopic("toclassic"));
        var text = session.createTextMessage("ein Text, ключ, 値");
        text.setStringProperty("colour", "red");
        producer.send(text);
        var bytes = session.createBytesMessage();
        bytes.writeBytes(new byte[] {0, 1, -1, 127, -128});
        producer.send(bytes);

        Inbox inbox = new Inbox();
        classic.consumer("toclassic", "g", inbox);
        inbox.awaitTexts(2);
        assertThat(inbox.texts().get(0)).isEqualTo("ein Text, ключ, 値");
        assertThat(inbox.messages().get(1).getData()).isEqualTo(new byte[] {0, 1, -1, 127, -128});
    }

    @Test
    void shouldGiveAQueueWhatAClassicProducerSendsToIt() throws Exception {
        MessageProducer producer = classic.producer("queue@work");
        send(producer, "queue@work", "job");
        BytesMessage job =
                (BytesMessage)
                        session.createConsumer(session.createQueue("work")).receive(PATIENCE_MS);
        assertThat(bytes(job)).isEqualTo("job".getBytes(UTF_8));
    }

    @Test
    void shouldCommitAcrossBothKindsOfClients() throws Exception {
        Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
        var topic = transacted.createTopic("transacted");
        MessageConsumer consumer = session.createConsumer(topic);
        Inbox inbox = new Inbox();
        classic.consumer("transacted", "g", inbox);

        XAMessageProducer producer = classic.opened(classic.factory().createXAProducer());
        producer.publish("transacted");
        Branch branch = Branch.next();
        XAResource resource = producer.getXAResource();
        resource.start(branch, XAResource.TMNOFLAGS);
        send(producer, "transacted", "classic");
        resource.end(branch, XAResource.TMSUCCESS);
        assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_OK);
        var jmsProducer = transacted.createProducer(topic);
        jmsProducer.send(transacted.createTextMessage("rolled back"));
        transacted.rollback();
        jmsProducer.send(transacted.createTextMessage("jms"));
        assertThat(inbox.texts()).isEmpty();

        transacted.commit();
        resource.commit(branch, false);
        assertThat(inbox.awaitTexts(2)).containsExactly("jms", "classic");
        List<jakarta.jms.Message> received =
                Arrays.asList(consumer.receive(PATIENCE_MS), consumer.receive(PATIENCE_MS));
        assertThat(received.get(0).getBody(String.class)).isEqualTo("jms");
        assertThat(bytes((BytesMessage) received.get(1))).isEqualTo("classic".getBytes(UTF_8));
    }
}
