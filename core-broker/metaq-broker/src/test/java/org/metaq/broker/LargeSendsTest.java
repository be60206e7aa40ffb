package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.broker.TestBroker.Client;
import org.metaq.common.BranchId;
import org.metaq.common.Checksums;
import org.metaq.common.DestinationKind;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.BranchStatus.Share;
import org.metaq.protocol.Command;
import org.metaq.protocol.Durability;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.Reply;
import org.metaq.protocol.Settlement;
import org.metaq.store.journal.JournalOptions;

/** Messages whose bodies come in pieces, through the broker's facade. */
class LargeSendsTest {
    private static final BranchId XID = BranchId.xa(7, new byte[] {1}, new byte[] {2});
    private static final int PIECE = 128 * 1024;
    private static final String LARGE = text(3_000_001, 'l');

    @TempDir Path root;
    private TestBroker broker;
    private Client client;
    private String queue;
    private static final String LARGE_NAME = name(LARGE);

    private int nextOpaque = 1_000_000;

    @BeforeEach
    void start() {
        broker =
                new TestBroker(root, BrokerConfig.defaults(1)) {
                    @Override
                    JournalOptions journal() {
                        return JournalOptions.DEFAULT.withLengths(1 << 20, 16 << 20);
                    }
                };
        reconnect();
    }

    private void reconnect() {
        client = broker.connect();
        queue = client.queue("orders");
    }

    private static String text(int length, char seed) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) (seed - (i / PIECE + i % 10) % 20));
        }
        return text.toString();
    }

    /** What tells a text from others in a message that can be read. */
    private static String name(String text) {
        return text.length() < 100 ? text : text.length() + " chars, checksum " + checksum(text);
    }

    private List<String> texts(int consumerId, int max) {
        return client.texts(consumerId, max).stream().map(LargeSendsTest::name).toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private Command.Send head(
            String to, int checksum, long producer, long number, @Nullable BranchId branch) {
        return new Command.Send(
                to,
                -1,
                0,
                checksum,
                producer,
                number,
                Durability.POLICY,
                branch,
                ByteBuffer.allocate(0),
                nextOpaque++);
    }

    private static int checksum(String text) {
        return Checksums.messageChecksum(ByteBuffer.wrap(bytes(text)));
    }

    private void parts(Client from, String text) {
        byte[] body = bytes(text);
        for (int at = 0; at < body.length; at += PIECE) {
            int count = Math.min(PIECE, body.length - at);
            broker.broker.sendPart(from.connection, ByteBuffer.wrap(body, at, count));
        }
    }

    private Reply.@Nullable Result send(Command.Send head, String text) {
        broker.broker.beginSend(client.connection, head, text.length());
        parts(client, text);
        broker.broker.doWork();
        return client.link.results.get(head.opaque());
    }

    private String sendLarge(@Nullable BranchId branch) {
        Reply.Result result = send(head(queue, checksum(LARGE), 0, 0, branch), LARGE);
        assertThat(result).isNotNull();
        assertThat(result.status()).as(result.text()).isEqualTo(Reply.OK);
        return result.text();
    }

    private void refuses(Reply.@Nullable Result result, ErrorCode code) {
        assertThat(result).isNotNull();
        assertThat(result.error()).as(result.text()).isEqualTo(code);
        broker.broker.doWork();
        broker.restart();
        assertThat(spillFiles()).isEmpty();
        reconnect();
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
    }

    /** As of the last checkpoint. */
    private List<Path> spillFiles() {
        Path spills = root.resolve("spill");
        if (!Files.exists(spills)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(spills)) {
            return files.toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void shouldDeliverALargeMessageAsItCameBetweenSmallOnes() {
        client.send(queue, "before");
        String answer = sendLarge(null);
        client.send(queue, "after");
        assertThat(answer.split(" ")).hasSize(3).endsWith("0", "26");
        client.consume(1, queue);
        assertThat(texts(1, 1)).containsExactly("before");
        assertThat(texts(1, 1)).containsExactly(LARGE_NAME);
        assertThat(texts(1, 1)).containsExactly("after");
        broker.restart();
        assertThat(spillFiles()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepALargeMessageOverARestart(boolean isClean) {
        sendLarge(null);
        endProcess(isClean);
        reconnect();
        client.consume(1, queue);
        assertThat(texts(1, 10)).containsExactly(LARGE_NAME);
    }

    private void endProcess(boolean isClean) {
        if (isClean) {
            broker.restart();
        } else {
            broker.crash();
        }
    }

    @Test
    void shouldStoreTheMessageWithAHeaderThatClassicClientsCheck() {
        send(head(queue, -1, 0, 0, null), LARGE);
        var log = broker.broker.state().topic(queue).partitions().get(0).log();
        ByteBuffer message = ByteBuffer.allocate(log.bytes(0).length());
        log.bytes(0).copyTo(message);
        message.flip();
        assertThat(message.getInt(MessageFormat.BODY_LENGTH_OFFSET)).isEqualTo(LARGE.length());
        assertThat(message.getInt(MessageFormat.CHECKSUM_OFFSET)).isEqualTo(checksum(LARGE));
    }

    @Test
    void shouldRefuseAWrongChecksumAndStoreNothing() {
        refuses(send(head(queue, 1, 0, 0, null), LARGE), ErrorCode.BAD_REQUEST);
    }

    @Test
    void shouldRefuseAnEnvelopeThatIsNoneAndStoreNothing() {
        Command.Send h = head(queue, -1, 0, 0, null);
        Command.Send withFlag =
                new Command.Send(
                        queue,
                        -1,
                        MessageFormat.FLAG_ENVELOPE | MessageFormat.FLAG_ATTRIBUTE,
                        -1,
                        0,
                        0,
                        Durability.POLICY,
                        null,
                        h.body(),
                        h.opaque());
        refuses(send(withFlag, LARGE), ErrorCode.BAD_REQUEST);
    }

    @Test
    void shouldRefuseAnUnknownDestinationWithTheFirstWord() {
        Command.Send head = head("nowhere", -1, 0, 0, null);
        broker.broker.beginSend(client.connection, head, LARGE.length());
        assertThat(client.link.results.get(head.opaque()).error())
                .isEqualTo(ErrorCode.NO_SUCH_DESTINATION);
        parts(client, LARGE);
        assertThat(client.send(queue, "next")).isNotEmpty();
    }

    @Test
    void shouldRefuseWhatTheDiskHasNoRoomForBesidesWhatIsArriving() {
        broker.usableBytes = BrokerConfig.defaults(1).minFreeBytes() + 5L * LARGE.length();
        Client other = broker.connect();
        Command.Send first = head(queue, -1, 0, 0, null);
        broker.broker.beginSend(other.connection, first, LARGE.length());
        Command.Send second = head(queue, -1, 0, 0, null);
        broker.broker.beginSend(client.connection, second, LARGE.length());
        assertThat(client.link.results.get(second.opaque()).error()).isEqualTo(ErrorCode.DISK_FULL);
        parts(client, LARGE);
        parts(other, LARGE);
        broker.broker.doWork();
        assertThat(other.link.results.get(first.opaque()).status()).isEqualTo(Reply.OK);
    }

    @Test
    void shouldRefuseAMessageDuringWhichTheDiskGetsFull() {
        Command.Send head = head(queue, -1, 0, 0, null);
        broker.broker.beginSend(client.connection, head, 2 * LARGE.length());
        parts(client, LARGE);
        broker.usableBytes = 0;
        broker.advance(1_000);
        parts(client, LARGE);
        broker.broker.doWork();
        broker.usableBytes = Long.MAX_VALUE;
        refuses(client.link.results.get(head.opaque()), ErrorCode.DISK_FULL);
    }

    @Test
    void shouldForgetAMessageWhoseConnectionIsLostOnTheWay() {
        Command.Send head = head(queue, -1, 0, 0, null);
        broker.broker.beginSend(client.connection, head, LARGE.length() + 1);
        parts(client, LARGE);
        broker.broker.doWork();
        assertThat(spillFiles()).hasSize(1);
        client.disconnect();
        broker.restart();
        assertThat(spillFiles()).isEmpty();
        reconnect();
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldForgetAMessageDuringWhichTheBrokerRestarts(boolean isClean) {
        Command.Send head = head(queue, -1, 0, 0, null);
        broker.broker.beginSend(client.connection, head, LARGE.length() + 1);
        parts(client, LARGE);
        broker.broker.doWork();
        endProcess(isClean);
        reconnect();
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
        broker.restart();
        assertThat(spillFiles()).isEmpty();
    }

    @Test
    void shouldAnswerARepeatedLargeSendAsTheFirstAlsoAcrossACrash() {
        Command.Send head = head(queue, checksum(LARGE), 77, 1, null);
        String first = send(head, LARGE).text();
        assertThat(send(head(queue, checksum(LARGE), 77, 1, null), LARGE).text()).isEqualTo(first);
        broker.crash();
        reconnect();
        assertThat(send(head(queue, checksum(LARGE), 77, 1, null), LARGE).text()).isEqualTo(first);
        client.consume(1, queue);
        assertThat(texts(1, 10)).containsExactly(LARGE_NAME);
        broker.restart();
        assertThat(spillFiles()).isEmpty();
    }

    // ---- transactions

    @Test
    void shouldShowALargeMessageOfATransactionWhenItIsCommitted() {
        BranchId local = BranchId.local(client.connection.id(), 1);
        client.send(queue, "first", local);
        sendLarge(local);
        client.send(queue, "last", local);
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
        client.ok(o -> new Command.Commit(local, true, Settlement.NONE, o));
        assertThat(texts(1, 1)).containsExactly("first");
        assertThat(texts(1, 1)).containsExactly(LARGE_NAME);
        assertThat(texts(1, 1)).containsExactly("last");
        broker.restart();
        assertThat(spillFiles()).isEmpty();
    }

    @Test
    void shouldForgetTheLargeMessagesOfARolledBackTransaction() {
        BranchId local = BranchId.local(client.connection.id(), 1);
        sendLarge(local);
        client.ok(o -> new Command.Rollback(local, Settlement.NONE, o));
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
        broker.restart();
        assertThat(spillFiles()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepTheLargeMessagesOfAPreparedBranchOverRestarts(boolean isClean) {
        client.begin(XID);
        sendLarge(XID);
        client.send(queue, "small", XID);
        sendLarge(XID);
        client.end(XID, Settlement.NONE);
        client.prepare(XID);
        endProcess(isClean);
        endProcess(true);
        reconnect();
        BranchStatus status = Objects.requireNonNull(broker.broker.admin().branch(XID));
        long bytes = 2L * bytes(LARGE).length + "small".length();
        assertThat(status.sent())
                .containsExactly(new Share(queue, 3, bytes + 3 * MessageFormat.HEADER_LENGTH));
        assertThat(status.keptBytes()).isBetween(bytes, bytes + 1000);
        client.consume(1, queue);
        assertThat(client.texts(1, 10)).isEmpty();
        client.commit(XID, false);
        assertThat(texts(1, 1)).containsExactly(LARGE_NAME);
        assertThat(texts(1, 1)).containsExactly("small");
        assertThat(texts(1, 1)).containsExactly(LARGE_NAME);
        broker.restart();
        assertThat(spillFiles()).isEmpty();
    }

    @Test
    void shouldForgetTheLargeMessagesOfAnOpenBranchInARestart() {
        client.begin(XID);
        sendLarge(XID);
        broker.crash();
        broker.restart();
        assertThat(spillFiles()).isEmpty();
        assertThat(broker.broker.state().branches()).isEmpty();
    }

    @Test
    void shouldNotCommitABranchWithoutALargeMessageThatWasRefused() {
        client.begin(XID);
        client.send(queue, "small", XID);
        assertThat(send(head(queue, 1, 0, 0, XID), LARGE).error()).isEqualTo(ErrorCode.BAD_REQUEST);
        client.end(XID, Settlement.NONE);
        assertThat(client.error(o -> new Command.Prepare(XID, o)))
                .isEqualTo(ErrorCode.XA_RBROLLBACK);
        broker.restart();
        assertThat(spillFiles()).isEmpty();
    }

    @Test
    void shouldRefuseALargeMessageWhoseBranchWasRolledBackMeanwhile() {
        client.begin(XID);
        Command.Send head = head(queue, -1, 0, 0, XID);
        broker.broker.beginSend(client.connection, head, 2 * LARGE.length());
        parts(client, LARGE);
        broker.connect().rollback(XID);
        parts(client, LARGE);
        broker.broker.doWork();
        refuses(client.link.results.get(head.opaque()), ErrorCode.XAER_NOTA);
    }

    @Test
    void shouldRefuseAMessageBeyondTheGreatestLength() {
        int length = BrokerConfig.defaults(1).maxMessageSizeBytes();
        assertThat(begin(client, queue, length + 1)).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        assertThat(begin(broker.connect(), queue, length)).isNull();
    }

    @Test
    void shouldRefuseALargeMessageThatMakesItsTransactionTooLargeWithItsFirstWord() {
        BrokerConfig d = BrokerConfig.defaults(1);
        client.begin(XID);
        long announced = 0;
        ErrorCode refusal = null;
        while (refusal == null) {
            assertThat(announced).isLessThanOrEqualTo(d.maxTransactionSizeBytes());
            Client each = broker.connect();
            each.ok(o -> new Command.Begin(XID, 0, Command.BeginMode.JOIN, 0, o));
            refusal = begin(each, head(queue, -1, 0, 0, XID), d.maxMessageSizeBytes());
            announced += d.maxMessageSizeBytes();
        }
        assertThat(refusal).isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE);
        assertThat(announced).isGreaterThan(d.maxTransactionSizeBytes());
    }

    // ---- temporary destinations

    private String temporaryQueue() {
        return client.ok(o -> new Command.CreateTemporary(DestinationKind.TEMPORARY_QUEUE, o))
                .split(" ")[0];
    }

    @Test
    void shouldTakeALargeMessageForATemporaryQueueInMemory() {
        String temporary = temporaryQueue();
        client.consume(1, temporary);
        Reply.Result result = send(head(temporary, checksum(LARGE), 0, 0, null), LARGE);
        assertThat(result.status()).as(result.text()).isEqualTo(Reply.OK);
        assertThat(texts(1, 10)).containsExactly(LARGE_NAME);
        assertThat(spillFiles()).isEmpty();
    }

    @Test
    void shouldTakeALargeMessageForATemporaryQueueInATransaction() {
        String temporary = temporaryQueue();
        client.consume(1, temporary);
        BranchId local = BranchId.local(client.connection.id(), 1);
        send(head(temporary, checksum(LARGE), 0, 0, local), LARGE);
        assertThat(client.texts(1, 10)).isEmpty();
        client.ok(o -> new Command.Commit(local, true, Settlement.NONE, o));
        assertThat(texts(1, 10)).containsExactly(LARGE_NAME);
    }

    @Test
    void shouldRefuseMoreLargeMessagesForTemporaryQueuesThanMemoryTakesAndFreeItAfterwards() {
        String temporary = temporaryQueue();
        int length = (int) Math.min(15 << 20, Runtime.getRuntime().maxMemory() / 13);
        List<Client> clients = new ArrayList<>();
        ErrorCode refusal = null;
        while (refusal == null) {
            assertThat(clients).hasSizeLessThan(6);
            Client each = broker.connect();
            clients.add(each);
            refusal = begin(each, temporary, length);
        }
        assertThat(refusal).isEqualTo(ErrorCode.BUSY);
        assertThat(clients).hasSizeGreaterThan(1);
        clients.forEach(Client::disconnect);
        assertThat(begin(broker.connect(), temporary, length)).isNull();
    }

    private @Nullable ErrorCode begin(Client from, String to, int length) {
        return begin(from, head(to, -1, 0, 0, null), length);
    }

    private @Nullable ErrorCode begin(Client from, Command.Send head, int length) {
        broker.broker.beginSend(from.connection, head, length);
        Reply.Result result = from.link.results.get(head.opaque());
        return result == null ? null : result.error();
    }
}
