package org.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metaq.protocol.Command;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.Durability;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;
import org.metaq.protocol.Settlement;

@Timeout(30)
class ClientConnectionTest {
    private ScriptedBroker broker;

    @BeforeEach
    void startBroker() throws Exception {
        broker = new ScriptedBroker();
    }

    @AfterEach
    void verifyScriptAndThreads() throws Exception {
        broker.close();
        broker.verify();
        await().untilAsserted(() -> assertThat(readerThreads()).isEmpty());
    }

    private static List<String> readerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("metaq-"))
                .toList();
    }

    private ClientOptions.Builder options() {
        return ClientOptions.builder(List.of(broker.address())).callTimeoutMs(5_000);
    }

    private ClientConnection connect() throws ClientException {
        broker.expectOpen();
        return ClientConnection.connect(options().build());
    }

    private static Command.Send message(ClientConnection c, int length) {
        return new Command.Send(
                "t",
                0,
                0,
                0,
                0,
                0,
                Durability.POLICY,
                null,
                ByteBuffer.allocate(length),
                c.nextOpaque());
    }

    private static Command.Recover question(ClientConnection c) {
        return new Command.Recover(c.nextOpaque());
    }

    private static ClientException failureOf(CompletableFuture<Reply> future) {
        CompletionException e =
                catchThrowableOfType(CompletionException.class, () -> future.join());
        return (ClientException) e.getCause();
    }

    @Test
    void shouldTellWhatTheBrokerSaidWhenOpened() throws Exception {
        broker.expect(Command.Open.class)
                .matching(
                        open -> {
                            assertThat(open.user()).isEqualTo("ann");
                            assertThat(open.password()).isEqualTo("secret");
                            assertThat(open.clientId()).isEqualTo("id");
                        })
                .thenOk("conn-7 12 99 1048576 store-1 60");
        ClientOptions options = options().credentials("ann", "secret").clientId("id").build();
        try (ClientConnection c = ClientConnection.connect(options)) {
            assertThat(c.connectionId()).isEqualTo("conn-7");
            assertThat(c.brokerId()).isEqualTo(12);
            assertThat(c.epoch()).isEqualTo(99);
            assertThat(c.maxMessageSizeBytes()).isEqualTo(1048576);
        }
        assertThat(options.toString()).doesNotContain("secret");
    }

    @Test
    void shouldMatchRepliesThatComeInAnotherOrder() throws Exception {
        var first = openThenExpect(Command.Recover.class);
        var second = broker.expect(Command.Recover.class);
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            CompletableFuture<Reply> one = c.send(question(c));
            CompletableFuture<Reply> two = c.send(question(c));
            second.replyValue(new byte[] {2});
            assertThat(((Reply.Value) two.join()).body().get()).isEqualTo((byte) 2);
            assertThat(one).isNotDone();
            first.replyOk("one");
            assertThat(((Reply.Result) one.join()).text()).isEqualTo("one");
        }
    }

    private <C extends Command> ScriptedBroker.Step<C> openThenExpect(Class<C> type) {
        broker.expectOpen();
        return broker.expect(type);
    }

    @Test
    void shouldPipelineThousandsOfSendsOfManyThreads() throws Exception {
        broker.always(Command.Send.class).thenOk("1 0 0");
        try (ClientConnection c = connect()) {
            List<Thread> threads = new ArrayList<>();
            BlockingQueue<CompletableFuture<Reply>> replies = new LinkedBlockingQueue<>();
            for (int t = 0; t < 4; t++) {
                Thread thread =
                        new Thread(
                                () -> {
                                    for (int i = 0; i < 1_000; i++) {
                                        replies.add(c.send(message(c, 10 + i)));
                                    }
                                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(replies).hasSize(4_000);
            for (CompletableFuture<Reply> reply : replies) {
                reply.get(10, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void shouldThrowTheBrokersErrorFromCallAndFuture() throws Exception {
        broker.always(Command.Recover.class).thenError(ErrorCode.XAER_NOTA, "no branch 1");
        try (ClientConnection c = connect()) {
            ClientException fromCall =
                    catchThrowableOfType(ClientException.class, () -> c.call(question(c)));
            assertThat(fromCall.code()).isEqualTo(ErrorCode.XAER_NOTA);
            assertThat(fromCall)
                    .hasMessageContaining("no branch 1")
                    .hasMessageContaining("recover");
            assertThat(fromCall.isOutcomeUnknown()).isFalse();
            assertThat(fromCall.isConnectionLost()).isFalse();
            assertThat(failureOf(c.send(question(c))).code()).isEqualTo(ErrorCode.XAER_NOTA);
            assertThat(c.isOpen()).isTrue();
        }
    }

    @Test
    void shouldThrowTheErrorWhenCredentialsAreRefused() {
        broker.expect(Command.Open.class).thenError(ErrorCode.UNAUTHORIZED, "wrong password");
        assertThatThrownBy(() -> ClientConnection.connect(options().build()))
                .isInstanceOfSatisfying(
                        ClientException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHORIZED));
    }

    @Test
    void shouldConnectToTheSecondAddressWhenTheFirstDoesNotAnswer() throws Exception {
        broker.expectOpen();
        ClientOptions options =
                ClientOptions.of(new Address("127.0.0.1", freePort()), broker.address());
        try (ClientConnection c = ClientConnection.connect(options)) {
            assertThat(c.broker()).isEqualTo(broker.address());
        }
    }

    @Test
    void shouldNameEachAddressWhenNoneAnswers() throws Exception {
        Address one = new Address("127.0.0.1", freePort());
        Address two = new Address("127.0.0.1", freePort());
        ClientException e =
                catchThrowableOfType(
                        ClientException.class,
                        () -> ClientConnection.connect(ClientOptions.of(one, two)));
        assertThat(e.code()).isEqualTo(ErrorCode.CONNECTION_LOST);
        assertThat(e.isConnectionLost()).isTrue();
        assertThat(e.isOutcomeUnknown()).isFalse();
        assertThat(e).hasMessageContaining(one.toString()).hasMessageContaining(two.toString());
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void shouldFailAllThatIsPendingWithUnknownOutcomeWhenTheConnectionIsLost() throws Exception {
        broker.expectOpen();
        broker.expect(Command.Recover.class);
        broker.expect(Command.Send.class).thenHangUp();
        ClientConnection c = ClientConnection.connect(options().build());
        BlockingQueue<ClientException> lost = new LinkedBlockingQueue<>();
        c.onLost(lost::add);
        CompletableFuture<Reply> question = c.send(question(c));
        ClientException fromCall =
                catchThrowableOfType(ClientException.class, () -> c.call(message(c, 5)));
        assertThat(fromCall.code()).isEqualTo(ErrorCode.UNKNOWN_OUTCOME);
        assertThat(fromCall.isOutcomeUnknown()).isTrue();
        assertThat(fromCall.isConnectionLost()).isTrue();
        assertThat(failureOf(question).isOutcomeUnknown()).isTrue();
        assertThat(lost.poll(5, TimeUnit.SECONDS)).isNotNull();

        c.onLost(lost::add);
        assertThat(lost).as("told at once").hasSize(1);
        ClientException later =
                catchThrowableOfType(ClientException.class, () -> c.call(question(c)));
        assertThat(later.code()).isEqualTo(ErrorCode.CONNECTION_LOST);
        assertThat(later.isOutcomeUnknown()).as("never sent").isFalse();
        c.close();
    }

    @Test
    void shouldReadRepliesThatComeByteByByte() throws Exception {
        broker.expectOpen();
        broker.expect(Command.Recover.class)
                .then(
                        (command, peer) -> {
                            for (byte b :
                                    ScriptedBroker.valueFrame(command.opaque(), text("abc"))) {
                                peer.write(new byte[] {b});
                            }
                        });
        broker.expect(Command.Recover.class)
                .then(
                        (command, peer) -> {
                            for (byte b : Reply.encodeResult(200, "späť", command.opaque())) {
                                peer.write(new byte[] {b});
                            }
                        });
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            CompletableFuture<Reply> one = c.send(question(c));
            CompletableFuture<Reply> two = c.send(question(c));
            assertThat(((Reply.Value) one.join()).body()).isEqualTo(ByteBuffer.wrap(text("abc")));
            assertThat(((Reply.Result) two.join()).text()).isEqualTo("späť");
        }
    }

    private static byte[] text(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldCarryLargeBodiesBothWays() throws Exception {
        byte[] large = new byte[5_000_000];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31);
        }
        broker.expectOpen();
        broker.expect(Command.Send.class)
                .matching(send -> assertThat(send.body()).isEqualTo(ByteBuffer.wrap(large)))
                .thenValue(large);
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            Command.Send send =
                    new Command.Send(
                            "t",
                            0,
                            0,
                            0,
                            0,
                            0,
                            Durability.SYNC,
                            null,
                            ByteBuffer.wrap(large),
                            c.nextOpaque());
            Reply.Value reply = (Reply.Value) c.call(send);
            assertThat(reply.body()).isEqualTo(ByteBuffer.wrap(large));
        }
    }

    @Test
    void shouldLoseTheConnectionWithAReasonWhenAReplyIsMalformed() throws Exception {
        for (String garbage :
                List.of(
                        "HTTP/1.1 400 Bad Request\r\n",
                        "result 200 x 1\r\n",
                        "value -1 1\r\n",
                        "value 99999999999 1\r\n",
                        "value 2000000000 1\r\n",
                        "value 1\r\n",
                        "value 1 1 1\r\n",
                        "value 1 1\n",
                        "x".repeat(10_000),
                        "value 0 4711\r\n")) {
            broker.expectOpen();
            broker.expect(Command.Recover.class).then((command, peer) -> peer.write(text(garbage)));
            ClientConnection c = ClientConnection.connect(options().build());
            ClientException e = failureOf(c.send(question(c)));
            assertThat(e.isConnectionLost()).isTrue();
            assertThat(e).hasMessageMatching("(?s).*(malformed reply|not sent).*");
            c.close();
        }
    }

    @Test
    void shouldBlockSendsBeyondTheWindowUntilRepliesCome() throws Exception {
        var first = openThenExpect(Command.Send.class);
        var second = broker.expect(Command.Send.class);
        try (ClientConnection c =
                ClientConnection.connect(options().sendWindowBytes(1_000).build())) {
            CompletableFuture<Reply> one = c.send(message(c, 800));
            first.await();
            CountDownLatch sent = new CountDownLatch(1);
            Thread sender =
                    new Thread(
                            () -> {
                                c.send(message(c, 300));
                                sent.countDown();
                            });
            sender.start();
            await().until(() -> sender.getState() == Thread.State.TIMED_WAITING);
            assertThat(second.isMet()).isFalse();
            first.replyOk("1 0 0");
            one.join();
            assertThat(sent.await(5, TimeUnit.SECONDS)).isTrue();
            second.replyOk("2 0 0");
        }
    }

    @Test
    void shouldSendAMessageLargerThanTheWindowAlone() throws Exception {
        broker.always(Command.Send.class).thenOk("1 0 0");
        broker.expectOpen();
        try (ClientConnection c =
                ClientConnection.connect(options().sendWindowBytes(100).build())) {
            assertThat(c.call(message(c, 5_000))).isInstanceOf(Reply.Result.class);
        }
    }

    @Test
    void shouldRefuseASendThatFindsNoRoomInTime() throws Exception {
        broker.expectOpen();
        broker.expect(Command.Send.class);
        try (ClientConnection c =
                ClientConnection.connect(
                        options().sendWindowBytes(100).callTimeoutMs(50).build())) {
            c.send(message(c, 100));
            ClientException e = failureOf(c.send(message(c, 100)));
            assertThat(e.code()).isEqualTo(ErrorCode.BUSY);
            assertThat(e.isOutcomeUnknown()).isFalse();
        }
    }

    @Test
    void shouldSendHeartbeatsWhileIdleAndStayConnected() throws Exception {
        broker.expectOpen();
        broker.expect(Command.Version.class).thenOk("v");
        broker.expect(Command.Version.class).thenOk("v");
        var third = broker.expect(Command.Version.class).thenOk("v");
        try (ClientConnection c = ClientConnection.connect(options().heartbeatMs(50).build())) {
            third.await();
            assertThat(c.isOpen()).isTrue();
        }
    }

    @Test
    void shouldTakeASilentBrokerForDead() throws Exception {
        broker.ignoreHeartbeats();
        broker.expectOpen();
        broker.expect(Command.Recover.class);
        ClientConnection c = ClientConnection.connect(options().heartbeatMs(50).build());
        AtomicReference<ClientException> lost = new AtomicReference<>();
        c.onLost(lost::set);
        ClientException e = failureOf(c.send(question(c)));
        assertThat(e).hasMessageContaining("silent");
        assertThat(e.isOutcomeUnknown()).isTrue();
        await().untilAsserted(() -> assertThat(lost.get()).isNotNull());
        assertThat(c.isOpen()).isFalse();
    }

    @Test
    void shouldTimeOutACallAndStillUnderstandItsLateReply() throws Exception {
        var late = openThenExpect(Command.Recover.class);
        broker.expect(Command.Recover.class).thenOk("second");
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            ClientException e =
                    catchThrowableOfType(ClientException.class, () -> c.call(question(c), 30));
            assertThat(e.isOutcomeUnknown()).isTrue();
            assertThat(e.isConnectionLost()).isFalse();
            late.replyOk("first");
            assertThat(((Reply.Result) c.call(question(c))).text()).isEqualTo("second");
        }
    }

    @Test
    void shouldKeepTheConnectionAndTheFlagWhenACallerIsInterrupted() throws Exception {
        var unanswered = openThenExpect(Command.Recover.class);
        broker.expect(Command.Send.class).thenOk("1 0 0");
        broker.expect(Command.Recover.class).thenOk("yes");
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            Thread.currentThread().interrupt();
            ClientException e =
                    catchThrowableOfType(ClientException.class, () -> c.call(question(c)));
            assertThat(e).hasMessageContaining("interrupted");
            assertThat(e.isOutcomeUnknown()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            CompletableFuture<Reply> sent = c.send(message(c, 3_000_000));
            assertThat(Thread.interrupted()).isTrue();
            sent.join();
            unanswered.replyOk("late");
            assertThat(((Reply.Result) c.call(question(c))).text()).isEqualTo("yes");
        }
    }

    @Test
    void shouldCloseFromTheReaderThreadWithoutWaitingForItself() throws Exception {
        var question = openThenExpect(Command.Recover.class);
        var quit = broker.expect(Command.Quit.class).then((command, peer) -> peer.hangUp());
        ClientConnection c = ClientConnection.connect(options().build());
        AtomicReference<ClientException> lost = new AtomicReference<>();
        c.onLost(lost::set);
        CompletableFuture<Void> closed =
                c.send(question(c))
                        .thenRun(
                                () -> {
                                    assertThat(c.isReaderThread()).isTrue();
                                    c.close();
                                });
        question.replyOk("x");
        closed.get(5, TimeUnit.SECONDS);
        quit.await();
        c.close();
        assertThat(lost.get()).as("own close is no loss").isNull();
        assertThat(c.isOpen()).isFalse();
    }

    @Test
    void shouldRefuseACallOnTheReaderThread() throws Exception {
        var question = openThenExpect(Command.Recover.class);
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            c.send(question(c))
                    .thenRun(
                            () -> {
                                try {
                                    c.call(question(c));
                                } catch (IllegalStateException | ClientException e) {
                                    thrown.complete(e);
                                }
                            });
            question.replyOk("x");
            assertThat(thrown.get(5, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldDeliverRepliesThatComeBeforeTheBrokerHangsUp() throws Exception {
        var question = openThenExpect(Command.Recover.class);
        broker.expect(Command.Quit.class)
                .then(
                        (command, peer) -> {
                            int opaque = 2;
                            peer.write(Reply.encodeResult(200, "in time", opaque));
                            peer.hangUp();
                        });
        ClientConnection c = ClientConnection.connect(options().build());
        CompletableFuture<Reply> answered = c.send(question(c));
        assertThat(question.await().opaque()).isEqualTo(2);
        c.close();
        c.close();
        assertThat(((Reply.Result) answered.join()).text()).isEqualTo("in time");
        assertThat(failureOf(c.send(question(c))).code()).isEqualTo(ErrorCode.CONNECTION_LOST);
    }

    @Test
    void shouldLogAndLiveWhenAOneWayCommandIsRefused() throws Exception {
        broker.expectOpen();
        broker.expect(Command.Acknowledge.class).thenError(ErrorCode.NOT_ACQUIRED, "not yours");
        broker.expect(Command.Recover.class).thenOk("alive");
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            c.sendOneWay(new Command.Acknowledge(Settlement.NONE, c.nextOpaque()));
            assertThat(((Reply.Result) c.call(question(c))).text()).isEqualTo("alive");
        }
    }

    @Test
    void shouldSendWhatWasPutOffThoughNothingFollows() throws Exception {
        broker.expectOpen();
        broker.always(Command.Send.class).thenOk("1 0 0");
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                replies.add(c.sendSoon(message(c, 100)));
            }
            for (CompletableFuture<Reply> reply : replies) {
                assertThat(reply.get(5, TimeUnit.SECONDS)).isInstanceOf(Reply.Result.class);
            }
        }
    }

    @Test
    void shouldSendWhatWasPutOffBeforeWhatIsAwaited() throws Exception {
        broker.expectOpen();
        broker.expect(Command.Send.class).thenOk("1 0 0");
        broker.expect(Command.Send.class).thenOk("1 0 0");
        broker.expect(Command.Recover.class).thenOk("behind them");
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            CompletableFuture<Reply> first = c.sendSoon(message(c, 100));
            CompletableFuture<Reply> second = c.sendSoon(message(c, 100));
            assertThat(((Reply.Result) c.call(question(c))).text()).isEqualTo("behind them");
            assertThat(first).isCompleted();
            assertThat(second).isCompleted();
        }
    }

    @Test
    void shouldAcknowledgeManyDeliveriesWithOneCommandBeforeTheNext() throws Exception {
        broker.expectOpen();
        broker.expect(Command.Acknowledge.class)
                .matching(
                        acknowledge -> {
                            assertThat(acknowledge.opaque()).isEqualTo(Command.QUIET);
                            assertThat(acknowledge.settlement())
                                    .isEqualTo(
                                            new SettlementBuilder()
                                                    .add(7, 0, 3)
                                                    .add(7, 0, 4)
                                                    .add(7, 0, 6)
                                                    .build());
                        });
        broker.expect(Command.Recover.class).thenOk("behind it");
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            for (long sequence : new long[] {3, 4, 6}) {
                c.acknowledge(7, delivery(sequence));
            }
            assertThat(((Reply.Result) c.call(question(c))).text()).isEqualTo("behind it");
        }
    }

    @Test
    void shouldAcknowledgeSoonThoughNothingFollows() throws Exception {
        broker.expectOpen();
        var acknowledged = broker.expect(Command.Acknowledge.class);
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            c.acknowledge(7, delivery(0));
            c.flushSoon();
            assertThat(acknowledged.await().settlement().entries()).hasSize(1);
        }
    }

    @Test
    void shouldAcknowledgeWhatIsLeftBeforeItCloses() throws Exception {
        broker.expectOpen();
        var acknowledged = broker.expect(Command.Acknowledge.class);
        ClientConnection c = ClientConnection.connect(options().build());
        c.acknowledge(7, delivery(0));
        c.close();
        assertThat(acknowledged.await().settlement().entries()).hasSize(1);
        assertThatThrownBy(() -> c.acknowledge(7, delivery(1))).isInstanceOf(ClientException.class);
    }

    private static Delivery delivery(long sequence) {
        return new Delivery(0, sequence, 1, false, ByteBuffer.allocate(0));
    }

    @Test
    void shouldAnswerCallsOfSeveralThreadsAndWhatNobodyWaitsFor() throws Exception {
        broker.expectOpen();
        broker.always(Command.Recover.class).thenOk("called");
        broker.always(Command.Send.class).thenOk("1 0 0");
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            BlockingQueue<CompletableFuture<Reply>> sent = new LinkedBlockingQueue<>();
            for (int i = 0; i < 3; i++) {
                callers.add(
                        CompletableFuture.runAsync(
                                () -> {
                                    for (int n = 0; n < 500; n++) {
                                        sent.add(c.sendSoon(message(c, 10)));
                                        assertThat(call(c)).isEqualTo("called");
                                    }
                                }));
            }
            for (CompletableFuture<Void> caller : callers) {
                caller.get(20, TimeUnit.SECONDS);
            }
            assertThat(sent).hasSize(1500);
            for (CompletableFuture<Reply> reply : sent) {
                reply.get(5, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void shouldGoOnReadingWhenCallsHaveEnded() throws Exception {
        broker.expectOpen();
        for (int i = 0; i < 100; i++) {
            broker.expect(Command.Recover.class).thenOk("called");
        }
        var late = broker.expect(Command.Send.class);
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            for (int i = 0; i < 100; i++) {
                assertThat(call(c)).isEqualTo("called");
            }
            CompletableFuture<Reply> reply = c.send(message(c, 10));
            late.await();
            late.replyOk("1 0 0");
            assertThat(reply.get(5, TimeUnit.SECONDS)).isInstanceOf(Reply.Result.class);
        }
    }

    @Test
    void shouldTellOfALossThatACallerReads() throws Exception {
        broker.expectOpen();
        for (int i = 0; i < 100; i++) {
            broker.expect(Command.Recover.class).thenOk("called");
        }
        broker.expect(Command.Recover.class).thenHangUp();
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            CompletableFuture<ClientException> told = new CompletableFuture<>();
            c.onLost(told::complete);
            for (int i = 0; i < 100; i++) {
                assertThat(call(c)).isEqualTo("called");
            }
            assertThatThrownBy(() -> c.call(question(c)))
                    .isInstanceOf(ClientException.class)
                    .hasMessageContaining("closed the connection");
            assertThat(told.get(5, TimeUnit.SECONDS).isConnectionLost()).isTrue();
        }
    }

    private static String call(ClientConnection c) {
        try {
            return ((Reply.Result) c.call(question(c))).text();
        } catch (ClientException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldWaitForAFullSocketWithoutHoldingUpTheReader() throws Exception {
        CountDownLatch readsOn = new CountDownLatch(1);
        broker.expectOpen();
        broker.expect(Command.Recover.class)
                .thenOk("then I stop reading")
                .then((command, peer) -> awaitLatch(readsOn));
        broker.always(Command.Send.class).thenOk("1 0 0");
        ClientOptions options = options().sendWindowBytes(Integer.MAX_VALUE).build();
        try (ClientConnection c = ClientConnection.connect(options)) {
            BlockingQueue<CompletableFuture<Reply>> replies = new LinkedBlockingQueue<>();
            CompletableFuture<Reply> asked = c.send(question(c));
            Thread sender =
                    new Thread(
                            () -> {
                                for (int i = 0; i < 40; i++) {
                                    replies.add(c.send(message(c, 500_000)));
                                }
                            });
            sender.start();
            await().until(() -> sender.getState() == Thread.State.TIMED_WAITING);
            asked.get(5, TimeUnit.SECONDS);
            assertThat(replies).hasSizeLessThan(40);
            readsOn.countDown();
            sender.join();
            for (CompletableFuture<Reply> reply : replies) {
                reply.get(10, TimeUnit.SECONDS);
            }
            assertThat(replies).hasSize(40);
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldCloseInBoundedTimeWhenTheBrokerDoesNotHangUp() throws Exception {
        var question = openThenExpect(Command.Recover.class);
        broker.expect(Command.Quit.class);
        ClientConnection c = ClientConnection.connect(options().build());
        CompletableFuture<Reply> unanswered = c.send(question(c));
        question.await();
        c.close();
        assertThat(failureOf(unanswered).isOutcomeUnknown()).isTrue();
    }

    @Test
    void shouldRefuseAnOpaqueNumberThatIsUnderWay() throws Exception {
        openThenExpect(Command.Recover.class);
        try (ClientConnection c = ClientConnection.connect(options().build())) {
            c.send(new Command.Recover(900));
            assertThatThrownBy(() -> c.send(new Command.Recover(900)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("900");
            assertThatThrownBy(() -> c.send(new Command.Quit(901)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldTryTheNextAddressWhenABrokerHangsUpDuringOpen() throws Exception {
        broker.expect(Command.Open.class).thenHangUp();
        broker.expectOpen();
        ClientOptions options = ClientOptions.of(broker.address(), broker.address());
        try (ClientConnection c = ClientConnection.connect(options)) {
            assertThat(c.connectionId()).isEqualTo("c1");
        }
    }
}
