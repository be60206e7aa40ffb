package org.metaq.client.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.client.ClientException;
import org.metaq.client.ScriptedBroker;
import org.metaq.client.cluster.Cluster;
import org.metaq.client.publish.PublisherOptions.WhenFull;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;

/** The publisher against a broker that answers late, wrongly or not at all. */
class PublisherTest {
    private ScriptedBroker broker;
    private Cluster cluster;

    @BeforeEach
    void open() throws Exception {
        broker = new ScriptedBroker();
        broker.always(Command.Open.class).thenOk("c1 5 1 1048576 store-1 60");
        broker.always(Command.Resolve.class).thenOk("t 0,1");
        cluster = Cluster.of("metaq://" + broker.address());
    }

    @AfterEach
    void close() throws Exception {
        cluster.close();
        broker.close();
    }

    private static Message message(int length) {
        return Message.of("t", new byte[length]);
    }

    private static void assertCode(CompletableFuture<?> future, ErrorCode code) {
        assertThatThrownBy(() -> future.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        ClientException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void shouldRefuseAtOnceWhatExceedsTheBoundIfToldSo() throws Exception {
        var first = broker.expect(Command.Put.class);
        try (Publisher publisher =
                new Publisher(
                        cluster,
                        PublisherOptions.DEFAULTS
                                .withSendTimeoutMs(200)
                                .withInFlightMax(10, 1_000, WhenFull.FAIL))) {
            CompletableFuture<SendResult> unanswered = publisher.sendAsync(message(900));
            first.await();
            assertCode(publisher.sendAsync(message(200)), ErrorCode.BUSY);
            assertThatThrownBy(() -> publisher.send(message(200)))
                    .hasMessageContaining("1 messages (at most 10), 900 bytes (at most 1000)");
            assertThat(unanswered).isNotDone();
        }
    }

    @Test
    void shouldHoldTheSenderUntilThereIsRoomAgain() throws Exception {
        List<Integer> unanswered = new ArrayList<>();
        var last =
                broker.always(Command.Put.class)
                        .then(
                                (put, peer) -> {
                                    unanswered.add(put.opaque());
                                    if (unanswered.size() == 2) {
                                        for (int opaque : unanswered) {
                                            peer.write(Reply.encodeResult(200, "7 1 0", opaque));
                                        }
                                        unanswered.clear();
                                    }
                                });
        try (Publisher publisher =
                new Publisher(
                        cluster,
                        PublisherOptions.DEFAULTS.withInFlightMax(2, 1_000, WhenFull.BLOCK))) {
            List<CompletableFuture<SendResult>> sends = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                sends.add(publisher.sendAsync(message(10)));
            }
            for (CompletableFuture<SendResult> send : sends) {
                assertThat(send.get(10, TimeUnit.SECONDS).messageId()).isEqualTo(7);
            }
        }
        assertThat(last.isMet()).isTrue();
    }

    @Test
    void shouldTryAgainWhatABusyBrokerDidNotDo() throws Exception {
        broker.expect(Command.Put.class).thenError(ErrorCode.BUSY, "later");
        broker.expect(Command.Put.class).thenOk("8 0 40");
        try (Publisher publisher = new Publisher(cluster)) {
            SendResult sent = publisher.send(message(1));
            assertThat(sent).hasToString("SendResult[messageId=8, partition=5-0, offset=40]");
        }
        broker.verify();
    }

    @Test
    void shouldNotRepeatASendWhoseOutcomeIsUnknown() throws Exception {
        broker.expect(Command.Put.class).thenHangUp();
        try (Publisher publisher = new Publisher(cluster)) {
            assertThatThrownBy(() -> publisher.send(message(1)))
                    .isInstanceOfSatisfying(
                            ClientException.class, e -> assertThat(e.isOutcomeUnknown()).isTrue());
        }
        broker.verify();
    }

    @Test
    void shouldGiveUpAfterTheTimeOut() throws Exception {
        broker.expect(Command.Put.class);
        Publisher publisher = new Publisher(cluster);
        assertThatThrownBy(() -> publisher.send(message(1), 100))
                .hasMessageContaining("no reply to 'put' within");
        publisher.close();
        assertThatThrownBy(() -> publisher.send(message(1))).hasMessageContaining("is closed");
    }

    @Test
    void shouldTellTheTextOfAClassicRefusal() throws Exception {
        broker.expect(Command.Put.class)
                .then((put, peer) -> peer.write(Reply.encodeResult(403, "closed", put.opaque())));
        try (Publisher publisher = new Publisher(cluster)) {
            assertThatThrownBy(() -> publisher.send(message(1)))
                    .isInstanceOfSatisfying(
                            ClientException.class,
                            e -> {
                                assertThat(e.code()).isEqualTo(ErrorCode.FORBIDDEN);
                                assertThat(e.replyStatus()).isEqualTo(403);
                                assertThat(e.replyText()).isEqualTo("closed");
                            });
        }
    }

    @Test
    void shouldRefuseAddressesThatAreNone() {
        assertThatThrownBy(() -> Cluster.of("meta://localhost:8123"))
                .hasMessageContaining("metaq://host:port");
        assertThatThrownBy(() -> Cluster.of("metaq://localhost:8123,"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
