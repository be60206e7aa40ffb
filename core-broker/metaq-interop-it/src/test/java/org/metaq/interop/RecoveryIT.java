package org.metaq.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.metaq.interop.ClassicClient.TIMEOUT;
import static org.metaq.interop.ClassicClient.message;
import static org.metaq.interop.ClassicClient.send;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.producer.MessageProducer;
import com.taobao.metamorphosis.client.producer.XAMessageProducer;
import com.taobao.metamorphosis.exception.MetaClientException;
import java.nio.file.Path;
import java.util.List;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our broker is killed under MetaQ's client, with a checkpoint before it. */
class RecoveryIT {
    private static final String TOPIC = "t";

    @Test
    void shouldKeepWhatWasPreparedAndDropWhatWasNot(@TempDir Path directory) throws Exception {
        try (TestingServer zookeeper = new TestingServer();
                OurServer server = start(directory, zookeeper.getConnectString());
                ClassicClient before = new ClassicClient(zookeeper.getConnectString())) {
            Inbox inbox = new Inbox();
            before.consumer(TOPIC, "g", inbox);
            send(before.producer(TOPIC), TOPIC, "before");
            Branch committed = Branch.next();
            Branch rolledBack = Branch.next();
            Branch unprepared = Branch.next();
            prepare(before, committed, "committed");
            prepare(before, rolledBack, "rolled back");
            XAMessageProducer open = before.opened(before.factory().createXAProducer());
            open.publish(TOPIC);
            open.getXAResource().start(unprepared, XAResource.TMNOFLAGS);
            send(open, TOPIC, "unprepared");
            MessageProducer local = before.opened(before.factory().createProducer());
            local.publish(TOPIC);
            local.beginTransaction();
            send(local, TOPIC, "open");
            try (Wire wire = new Wire(server.port())) {
                server.awaitCheckpoint(wire, "other");
            }

            server.kill9();
            server.restart();
            try (ClassicClient after = new ClassicClient(zookeeper.getConnectString())) {
                XAMessageProducer producer = after.opened(after.factory().createXAProducer());
                producer.publish(TOPIC);
                XAResource resource = producer.getXAResource();
                List<Xid> inDoubt = List.of(resource.recover(XAResource.TMSTARTRSCAN));
                assertThat(inDoubt).hasSize(2).anyMatch(committed::isSame);
                assertThat(inDoubt).anyMatch(rolledBack::isSame);
                send(after.producer(TOPIC), TOPIC, "after");
                resource.commit(committed, false);
                producer.getXAResource().rollback(rolledBack);
                assertThat(producer.getXAResource().recover(XAResource.TMSTARTRSCAN)).isEmpty();
            }
            awaitReconnection(before.producer(TOPIC));
            await().atMost(TIMEOUT).until(() -> inbox.texts().contains("reconnected"));
            assertThat(inbox.texts())
                    .contains("before", "after", "committed")
                    .doesNotContain("rolled back", "unprepared", "open");
            assertThat(inbox.messages().stream().map(Message::getId)).doesNotHaveDuplicates();
        }
    }

    private static OurServer start(Path directory, String zkConnect) throws Exception {
        return OurServer.start(
                directory,
                new ServerIni(0, zkConnect)
                        .system("checkpointBytes", "1M")
                        .topic(TOPIC, 1)
                        .topic("other", 1));
    }

    private static void prepare(ClassicClient client, Xid branch, String text) throws Exception {
        XAMessageProducer producer = client.opened(client.factory().createXAProducer());
        producer.publish(TOPIC);
        XAResource resource = producer.getXAResource();
        resource.start(branch, XAResource.TMNOFLAGS);
        send(producer, new Message(TOPIC, text.getBytes(UTF_8)));
        resource.end(branch, XAResource.TMSUCCESS);
        assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_OK);
    }

    /** A client tries again every two seconds. */
    private static void awaitReconnection(MessageProducer producer) {
        await().atMost(TIMEOUT)
                .until(
                        () -> {
                            try {
                                return producer.sendMessage(message(TOPIC, "reconnected"))
                                        .isSuccess();
                            } catch (MetaClientException e) {
                                return false;
                            }
                        });
    }
}
