package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metaq.common.BranchId;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.Durability;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Limits;

class CommandDecoderTest {
    private static final int MESSAGE_MAX = 100_000;

    private final BodyMemory memory = new BodyMemory(1 << 20);
    private final List<String> wakes = new ArrayList<>();

    private CommandDecoder decoder() {
        return decoder(MESSAGE_MAX);
    }

    private CommandDecoder decoder(int wholeBodyMax) {
        return new CommandDecoder(MESSAGE_MAX, wholeBodyMax, memory, () -> wakes.add("wake"));
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    private static List<Object> decodeAll(CommandDecoder decoder, ByteBuf in)
            throws ProtocolViolation {
        List<Object> all = new ArrayList<>();
        CommandDecoder.Decoded next = decoder.decode(in);
        while (next != null) {
            all.add(next instanceof CommandDecoder.Accepted a ? a.command() : next);
            next = decoder.decode(in);
        }
        return all;
    }

    private static String stream() {
        return "put t 0 5 0 -1 7\r\nhello"
                + "get t g 0 12 1024 8\r\n"
                + "version 9\r\n"
                + "stats  10\r\n"
                + "put t -1 2 0 11\r\n\r\n"
                + "open 1 16 12\r\n"
                + "\0".repeat(16)
                + "send t 0 200000 1 1 1 1 - 0 13\r\n"
                + "acquire 1 10 1000 0 0 14\r\n"
                + "quit\r\n";
    }

    @Test
    void shouldFindTheSameCommandsWhereverTheStreamIsCutInTwo() throws Exception {
        String stream = stream();
        List<Object> whole = decodeAll(decoder(), bytes(stream));
        assertThat(whole).hasSize(9);
        for (int cut = 0; cut <= stream.length(); cut++) {
            CommandDecoder decoder = decoder();
            List<Object> parts = decodeAll(decoder, bytes(stream.substring(0, cut)));
            parts.addAll(decodeAll(decoder, bytes(stream.substring(cut))));
            assertThat(parts).as("cut at %d", cut).isEqualTo(whole);
        }
    }

    @Test
    void shouldFindTheSameCommandsByteByByte() throws Exception {
        String stream = stream();
        CommandDecoder decoder = decoder();
        List<Object> parts = new ArrayList<>();
        for (int i = 0; i < stream.length(); i++) {
            parts.addAll(decodeAll(decoder, bytes(stream.substring(i, i + 1))));
        }
        assertThat(parts).isEqualTo(decodeAll(decoder(), bytes(stream)));
        assertThat(decoder.isInsideCommand()).isFalse();
    }

    @Test
    void shouldKeepEachByteOfLargeBodiesThatArriveInPieces() throws Exception {
        Random random = new Random(7);
        byte[] body = new byte[MESSAGE_MAX];
        random.nextBytes(body);
        Command.Send send =
                new Command.Send(
                        "t",
                        0,
                        0,
                        1,
                        1,
                        1,
                        Durability.values()[0],
                        BranchId.parse("TX:a:1"),
                        ByteBuffer.wrap(body),
                        5);
        CommandCodec.Frame frame = CommandCodec.encode(send);
        ByteBuf wire = Unpooled.wrappedBuffer(frame.line(), body);
        CommandDecoder decoder = decoder();
        List<Object> found = new ArrayList<>();
        while (wire.isReadable()) {
            int count = Math.min(wire.readableBytes(), 1 + random.nextInt(3000));
            found.addAll(decodeAll(decoder, wire.readSlice(count)));
        }
        assertThat(found).isEqualTo(List.of(send));
        assertThat(memory.usedBytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "'\r\n', BLANK_LINE",
        "' \r\n', UNKNOWN_COMMAND",
        "'GET t g 0 0 10 1\r\n', UNKNOWN_COMMAND",
        "'result 200 x 1\r\n', MALFORMED_COMMAND",
        "'transaction TX:a:1 s NEVER 1\r\n', MALFORMED_COMMAND",
        "'transaction null s BEGIN 1\r\n', MALFORMED_COMMAND",
        "'put t 0 x 0 1\r\n', MALFORMED_COMMAND",
        "'put t\r\n', MALFORMED_COMMAND",
        "'put t 0 -5 0 1\r\n', MALFORMED_COMMAND",
        "'get t g 0 x 10 1\r\n', MALFORMED_COMMAND",
        "'get t g\r\n', MALFORMED_COMMAND",
        "'put t 0 0 0 0 TX:a 1\r\n', MALFORMED_COMMAND",
        "'send\r\n', MALFORMED_COMMAND",
        "'acquire 1 1 1 1 x 1\r\n', MALFORMED_COMMAND",
    })
    void shouldRefuseToGoOnAfterALineThatIsNoCommand(String line, ProtocolViolation.Kind kind) {
        assertThatThrownBy(() -> decodeAll(decoder(), bytes(line)))
                .isInstanceOfSatisfying(
                        ProtocolViolation.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    @Test
    void shouldTakeALineOfTheGreatestLengthAndRefuseALongerOne() throws Exception {
        String head = "get ";
        String tail = " g 0 0 10 1";
        String topic = "t".repeat(Limits.LINE_LENGTH_MAX - head.length() - tail.length());
        assertThat(decodeAll(decoder(), bytes(head + topic + tail + "\r\n"))).hasSize(1);
        for (String tooLong :
                List.of(head + topic + "t" + tail + "\r\n", "x".repeat(9000), "\n".repeat(9000))) {
            assertThatThrownBy(() -> decodeAll(decoder(), bytes(tooLong)))
                    .isInstanceOfSatisfying(
                            ProtocolViolation.class,
                            e ->
                                    assertThat(e.kind())
                                            .isEqualTo(ProtocolViolation.Kind.LINE_TOO_LONG));
        }
    }

    @Test
    void shouldWaitAtABareLineFeed() throws Exception {
        CommandDecoder decoder = decoder();
        assertThat(decodeAll(decoder, bytes("version 1\n"))).isEmpty();
        assertThat(decoder.isInsideCommand()).isTrue();
    }

    @Test
    void shouldAnswerAnOversizedMessageAtOnceAndGoOnBehindItsBody() throws Exception {
        CommandDecoder decoder = decoder();
        List<Object> first =
                decodeAll(
                        decoder, bytes("send t 0 0 0 1 1 1 - " + (MESSAGE_MAX + 1) + " 77\r\nab"));
        assertThat(first)
                .singleElement()
                .isInstanceOfSatisfying(
                        CommandDecoder.Refused.class,
                        refused -> {
                            assertThat(refused.opaque()).isEqualTo(77);
                            assertThat(refused.error()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
                            assertThat(refused.text()).contains("maxMessageSize", "100000");
                        });
        assertThat(decodeAll(decoder, bytes("x".repeat(MESSAGE_MAX - 1) + "version 3\r\n")))
                .containsExactly(new Command.Version(3));
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldPassOverABodyOfTwoGigabytesWithoutKeepingIt() throws Exception {
        CommandDecoder decoder = decoder();
        assertThat(decodeAll(decoder, bytes("put t 0 2147483647 0 1\r\n"))).hasSize(1);
        ByteBuf piece = Unpooled.wrappedBuffer(new byte[1 << 20]);
        for (int i = 0; i < 2047; i++) {
            assertThat(decodeAll(decoder, piece.duplicate())).isEmpty();
        }
        ByteBuf last = Unpooled.wrappedBuffer(new byte[(1 << 20) - 1]);
        assertThat(decodeAll(decoder, last)).isEmpty();
        assertThat(decodeAll(decoder, bytes("version 3\r\n"))).hasSize(1);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldLimitBodiesOfCommandsWithoutAMessage() throws Exception {
        List<Object> found =
                decodeAll(
                        decoder(),
                        bytes("acknowledge " + (Limits.CONTROL_BODY_LENGTH_MAX + 1) + " 5\r\n"));
        assertThat(found)
                .singleElement()
                .isInstanceOfSatisfying(
                        CommandDecoder.Refused.class,
                        refused -> assertThat(refused.text()).contains("1048576", "split"));
    }

    @ParameterizedTest
    @CsvSource({
        "'acquire 1 0 1 0 0 6\r\n'",
        "'begin nonsense new 0 0 6\r\n'",
        "'release 2 0 6\r\n'",
        "'acknowledge 3 6\r\nabc'",
        "'resolve pile 1 6\r\na'"
    })
    void shouldAnswerBadArgumentsOfOurOwnCommandsAndGoOn(String input) throws Exception {
        CommandDecoder decoder = decoder();
        List<Object> found = decodeAll(decoder, bytes(input));
        found.addAll(decodeAll(decoder, bytes("version 3\r\n")));
        assertThat(found).hasSize(2).last().isEqualTo(new Command.Version(3));
        CommandDecoder.Refused refused = (CommandDecoder.Refused) found.get(0);
        assertThat(refused.error()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refused.opaque()).isEqualTo(6);
    }

    // ---- large messages

    private static final int LARGE_MAX = 1 << 20;

    private CommandDecoder largeDecoder() {
        return new CommandDecoder(LARGE_MAX, 1000, memory, () -> wakes.add("wake"));
    }

    private static String sendLine(int bodyLength) {
        return "send t 0 0 7 1 2 s - " + bodyLength + " 77\r\n";
    }

    @Test
    void shouldHandOverALargeBodyInPiecesOfOneLengthHoweverItArrives() throws Exception {
        byte[] body = new byte[2 * CommandDecoder.PIECE_LENGTH + 5];
        Random random = new Random(7);
        random.nextBytes(body);
        ByteBuf wire =
                Unpooled.wrappedBuffer(
                        sendLine(body.length).getBytes(StandardCharsets.ISO_8859_1),
                        body,
                        "version 3\r\n".getBytes(StandardCharsets.ISO_8859_1));
        CommandDecoder decoder = largeDecoder();
        List<Object> found = new ArrayList<>();
        while (wire.isReadable()) {
            int count = Math.min(wire.readableBytes(), 1 + random.nextInt(50_000));
            found.addAll(decodeAll(decoder, wire.readSlice(count)));
        }
        assertThat(found).hasSize(5).last().isEqualTo(new Command.Version(3));
        CommandDecoder.Begun begun = (CommandDecoder.Begun) found.get(0);
        assertThat(begun.bodyLength()).isEqualTo(body.length);
        assertThat(begun.head().opaque()).isEqualTo(77);
        assertThat(begun.head().body().remaining()).isZero();
        ByteBuffer all = ByteBuffer.allocate(body.length);
        List<Integer> lengths = new ArrayList<>();
        for (Object each : found.subList(1, 4)) {
            ByteBuffer piece = ((CommandDecoder.Piece) each).bytes();
            lengths.add(piece.remaining());
            all.put(piece);
        }
        assertThat(all.array()).isEqualTo(body);
        assertThat(lengths)
                .containsExactly(CommandDecoder.PIECE_LENGTH, CommandDecoder.PIECE_LENGTH, 5);
        assertThat(memory.usedBytes()).isZero();
        assertThat(decoder.isInsideCommand()).isFalse();
    }

    @Test
    void shouldHandOverABodyOfTheGreatestWholeLengthWholeAndALongerOneInPieces() throws Exception {
        List<Object> whole = decodeAll(largeDecoder(), bytes(sendLine(1000) + "x".repeat(1000)));
        assertThat(whole).singleElement().isInstanceOf(Command.Send.class);
        List<Object> large = decodeAll(largeDecoder(), bytes(sendLine(1001) + "x".repeat(1001)));
        assertThat(large).hasSize(2).first().isInstanceOf(CommandDecoder.Begun.class);
    }

    @Test
    void shouldBeInsideACommandUntilALargeBodyIsComplete() throws Exception {
        CommandDecoder decoder = largeDecoder();
        String piece = "x".repeat(CommandDecoder.PIECE_LENGTH);
        String line = sendLine(CommandDecoder.PIECE_LENGTH + 1);
        assertThat(decodeAll(decoder, bytes(line + piece))).hasSize(2);
        assertThat(decoder.isInsideCommand()).isTrue();
        assertThat(decodeAll(decoder, bytes("x"))).hasSize(1);
        assertThat(decoder.isInsideCommand()).isFalse();
    }

    @Test
    void shouldPassOverALargeBodyWhoseHeadIsBad() throws Exception {
        CommandDecoder decoder = largeDecoder();
        String line = "send t 0 0 7 1 2 nonsense - 5000 77\r\n";
        List<Object> found = decodeAll(decoder, bytes(line + "x".repeat(5000) + "version 3\r\n"));
        assertThat(found).hasSize(2).last().isEqualTo(new Command.Version(3));
        CommandDecoder.Refused refused = (CommandDecoder.Refused) found.get(0);
        assertThat(refused.error()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refused.opaque()).isEqualTo(77);
    }

    @Test
    void shouldHoldClassicMessagesToTheirOwnLimit() throws Exception {
        CommandDecoder decoder =
                new CommandDecoder(100 << 20, 1000, memory, () -> wakes.add("wake"));
        int tooLong = Limits.CLASSIC_BODY_LENGTH_MAX + 1;
        List<Object> found = decodeAll(decoder, bytes("put t 0 " + tooLong + " 0 5\r\n"));
        CommandDecoder.Refused refused = (CommandDecoder.Refused) found.get(0);
        assertThat(refused.error()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        assertThat(refused.text()).contains("2097152", "JMS client");
    }

    @Test
    void shouldTakeMemoryForWhatArrivedAndNotForWhatWasAnnounced() throws Exception {
        List<CommandDecoder> idle = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            CommandDecoder decoder = decoder();
            assertThat(decodeAll(decoder, bytes("put t 0 100000 0 1\r\nx"))).isEmpty();
            idle.add(decoder);
        }
        assertThat(memory.usedBytes()).isZero();
        idle.forEach(CommandDecoder::close);
    }

    @Test
    void shouldLetOneConnectionFinishItsBodyWhenMemoryIsUsedUp() throws Exception {
        BodyMemory small = new BodyMemory(10_000);
        CommandDecoder first =
                new CommandDecoder(MESSAGE_MAX, MESSAGE_MAX, small, () -> wakes.add("first"));
        CommandDecoder second =
                new CommandDecoder(MESSAGE_MAX, MESSAGE_MAX, small, () -> wakes.add("second"));
        String head = "put t 0 50000 0 1\r\n" + "x".repeat(20_000);
        assertThat(decodeAll(first, bytes(head))).isEmpty();
        ByteBuf blocked = bytes(head);
        assertThat(decodeAll(second, blocked)).isEmpty();
        assertThat(second.awaitsMemory()).isTrue();
        assertThat(first.awaitsMemory()).isFalse();

        assertThat(decodeAll(first, bytes("x".repeat(30_000)))).hasSize(1);

        assertThat(wakes).containsExactly("second");
        assertThat(decodeAll(second, blocked)).isEmpty();
        assertThat(second.awaitsMemory()).isFalse();
        assertThat(decodeAll(second, bytes("x".repeat(30_000)))).hasSize(1);
        assertThat(small.usedBytes()).isZero();
    }
}
