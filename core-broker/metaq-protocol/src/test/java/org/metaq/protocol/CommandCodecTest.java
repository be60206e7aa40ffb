package org.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.common.BranchId;

class CommandCodecTest {
    private static final String BRANCH = "TX:c1:7";

    static List<Command> commands() {
        return SampleCommands.all();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldDecodeWhatItEncoded(Command command) throws ProtocolException {
        CommandCodec.Frame frame = CommandCodec.encode(command);

        CommandLine line = lineOf(frame);
        assertThat(CommandCodec.bodyLength(line)).isEqualTo(frame.body().remaining());
        assertThat(CommandCodec.opaqueOf(line)).isEqualTo(command.opaque());
        assertThat(CommandCodec.decode(line, frame.body())).isEqualTo(command);
        assertThat(frame.length()).isEqualTo(frame.line().length + frame.body().remaining());
    }

    @Test
    void shouldHaveASampleOfEveryCommand() {
        Set<Class<?>> sampled = new HashSet<>();
        commands().forEach(command -> sampled.add(command.getClass()));
        assertThat(sampled).containsExactlyInAnyOrder(Command.class.getPermittedSubclasses());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldRefuseEveryLineThatLacksOrHasATokenTooMany(Command command) {
        String line = textOf(CommandCodec.encode(command));
        String word = line.split(" ", 2)[0];
        // Commands of MetaQ that have shorter forms, or take what comes.
        if (!Set.of("put", "transaction", "sync", "version", "stats", "quit").contains(word)) {
            int lastBlank = line.lastIndexOf(' ');
            assertRefused(line.substring(0, lastBlank), new byte[0]);
            assertRefused(line + " 1", new byte[0]);
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldRefuseABodyThatIsCutShortOrHasBytesTooMany(Command command)
            throws ProtocolException {
        CommandCodec.Frame frame = CommandCodec.encode(command);
        CommandLine line = lineOf(frame);
        byte[] body = new byte[frame.body().remaining()];
        frame.body().duplicate().get(body);
        // Text and messages have no structure of their own.
        if (Set.of("put", "sync", "send", "client-id", "resolve", "create-temporary", "unsubscribe")
                .contains(line.word())) {
            return;
        }
        byte[] longer = java.util.Arrays.copyOf(body, body.length + 1);
        assertThatThrownBy(() -> CommandCodec.decode(line, ByteBuffer.wrap(longer)))
                .isInstanceOf(ProtocolException.class);
        for (int length = 1; length < body.length; length++) {
            ByteBuffer shorter = ByteBuffer.wrap(body, 0, length);
            assertThatThrownBy(() -> CommandCodec.decode(line, shorter))
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire 1 10 1000 0 0",
                "acquire x 10 1000 0 0 1",
                "acquire 1 0 1000 0 0 1",
                "acquire 1 10001 1000 0 0 1",
                "acquire 1 10 0 0 0 1",
                "acquire 1 10 4194305 0 0 1",
                "acquire 1 10 1000 -1 0 1",
                "acquire 1 10 1000 60001 0 1",
                "acquire 1 10 1000 0 0 1.5",
                "acquire 1  10 1000 0 0 1",
                "acquire 1 99999999999 1000 0 0 1",
                "release 2 0 1",
                "release true 0 1",
                "resolve Queue 0 1",
                "resolve stream 0 1",
                "create-temporary  0 1",
                "subscribe 1 t 1 0 yes 8 1",
                "begin TX:c1:7 0 NEW 0 0 1",
                "begin TX:c1 0 new 0 0 1",
                "begin null 0 new 0 0 1",
                "end TX:c1:7 0 done 0 1",
                "prepare XID:1:0:00: 0 1",
                "prepare XID:x:00:00: 0 1",
                "prepare - 0 1",
                "commit TX:c1:7 2 0 1",
                "forget TX::7 0 1",
                "send t 0 0 0 0 0 s",
                "send t 0 0 0 0 0 x - 0 1",
                "send t 0 0 0 0 0  - 0 1",
                "send t 0 0 0 0 0 s TX:c1 0 1",
                "send t 0 0 0 a 0 s - 0 1",
                "put t 0 0 0 0 TX:1 5",
                "put t 0 0 0 0 0 TX:1:1 5",
                "transaction TX:1:1 s",
                "transaction TX:1:1 s NEVER 1",
                "transaction null s BEGIN 1",
                "transaction TX:1:1 s BEGIN x y 1",
                "sync t 0 0 0 1",
                "put t 0 0",
                "get t g 0 0 1",
                "get t g 0 0 1 1 1",
                "offset t g 0 x 1",
                "version x",
                "stats topics x",
                "GET t g 0 0 1 1",
                "nonsense 0 1",
                ""
            })
    void shouldRefuseAMalformedLine(String line) {
        assertRefused(line, new byte[0]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "put t 0 -1 0 0 1",
                "put t 0 x 0 0 1",
                "send t 0 0 0 0 0 s - -1 1",
                "acquire 1 1 1 0 -1 1",
                "acknowledge -1 1",
                "prepare TX:c1:7 -2147483648 1",
                "recover 2147483648 1",
                "recover 7",
                "forget"
            })
    void shouldRefuseABodyLengthThatIsNone(String line) {
        assertThatThrownBy(() -> CommandCodec.bodyLength(parse(line)))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldNotKnowTheBodyOfAnUnknownCommand() throws ProtocolException {
        assertThat(CommandCodec.bodyLength(parse("nonsense 3 1"))).isEqualTo(-1);
        assertThat(CommandCodec.bodyLength(parse("PUT t 0 3 0 0 1"))).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "version, 2147483647",
        "version 12, 12",
        "stats, 2147483647",
        "stats topics, 2147483647",
        "stats topics 9, 9",
        "stats  9, 9",
        "put t 0 0 1 5, 5",
        "put t 0 0 1 -1 5, 5",
        "quit, 2147483647"
    })
    void shouldTakeTheShorterFormsOfClassicCommands(String line, int opaque)
            throws ProtocolException {
        Command command = CommandCodec.decode(parse(line), ByteBuffer.allocate(0));
        assertThat(command.opaque()).isEqualTo(opaque);
    }

    @Test
    void shouldLeaveTheChecksumOfAnOldPutToTheBroker() throws ProtocolException {
        Command.Put put =
                (Command.Put)
                        CommandCodec.decode(parse("put t 2 5 1 77"), SampleCommands.bytes("hello"));
        assertThat(put)
                .isEqualTo(new Command.Put("t", 2, 1, -1, SampleCommands.bytes("hello"), 77));
    }

    @Test
    void shouldReadEveryFormOfAPutInATransaction() throws ProtocolException {
        BranchId branch = BranchId.local("s", 1);
        ByteBuffer body = SampleCommands.bytes("hello");
        assertThat(CommandCodec.decode(parse("put t 2 5 1 9 TX:s:1 77"), body))
                .isEqualTo(new Command.Put("t", 2, 1, 9, branch, body, 77));
        assertThat(CommandCodec.decode(parse("put t 2 5 1 TX:s:1 77"), body))
                .isEqualTo(new Command.Put("t", 2, 1, -1, branch, body, 77));
        assertThat(CommandCodec.decode(parse("put t 2 5 1 -1 77"), body))
                .isEqualTo(new Command.Put("t", 2, 1, -1, null, body, 77));
    }

    @Test
    void shouldTellATimeoutFromAQualifier() throws ProtocolException {
        ByteBuffer none = ByteBuffer.allocate(0);
        BranchId branch = BranchId.local("a", 1);
        assertThat(CommandCodec.decode(parse("transaction TX:a:1 s BEGIN 30 5"), none))
                .isEqualTo(transaction(branch, Command.TransactionType.BEGIN, 30, ""));
        assertThat(CommandCodec.decode(parse("transaction TX:a:1 s BEGIN host-1 5"), none))
                .isEqualTo(transaction(branch, Command.TransactionType.BEGIN, 0, "host-1"));
        assertThat(CommandCodec.decode(parse("transaction TX:a:1 s BEGIN 30 h 5"), none))
                .isEqualTo(transaction(branch, Command.TransactionType.BEGIN, 30, "h"));
        assertThat(CommandCodec.decode(parse("transaction null s RECOVER 5"), none))
                .isEqualTo(transaction(null, Command.TransactionType.RECOVER, 0, ""));
    }

    private static Command transaction(
            @Nullable BranchId branch,
            Command.TransactionType type,
            int timeout,
            String qualifier) {
        return new Command.Transaction(branch, "s", type, timeout, qualifier, 5);
    }

    @Test
    void shouldTakeAnyWordThatStartsWithVForAHeartbeat() throws ProtocolException {
        assertThat(CommandCodec.bodyLength(parse("v 7"))).isZero();
        assertThat(CommandCodec.decode(parse("v 7"), ByteBuffer.allocate(0)))
                .isEqualTo(new Command.Version(7));
        assertThat(CommandCodec.isStrayReply(parse("value 5 1"))).isTrue();
        assertThat(CommandCodec.bodyLength(parse("value 5 1"))).isEqualTo(5);
    }

    @Test
    void shouldFindAnOpaqueForTheReplyToWhatItCannotDecode() {
        assertThat(CommandCodec.opaqueOf(parse("nonsense 0 -17"))).isEqualTo(-17);
        assertThat(CommandCodec.opaqueOf(parse("nonsense"))).isEqualTo(Integer.MAX_VALUE);
        assertThat(CommandCodec.opaqueOf(parse(""))).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void shouldRefuseASettlementWhoseCountsOrRangesAreNone() {
        assertRefused("acknowledge 4 1", new BodyWriter().i32(-1).toBytes());
        assertRefused("acknowledge 4 1", new BodyWriter().i32(Integer.MAX_VALUE).toBytes());
        BodyWriter backwards = new BodyWriter();
        backwards.i32(1).i64(5).i32(0).i32(1).i64(9).i64(8);
        assertRefused("acknowledge 36 1", backwards.toBytes());
        BodyWriter negative = new BodyWriter();
        negative.i32(1).i64(5).i32(0).i32(1).i64(-1).i64(8);
        assertRefused("commit " + BRANCH + " 1 36 1", negative.toBytes());
    }

    @Test
    void shouldLeaveTheBuffersOfACommandAsTheyWere() {
        ByteBuffer body = SampleCommands.bytes("hello");
        CommandCodec.Frame frame = CommandCodec.encode(new Command.Put("t", 0, 0, -1, body, 1));
        frame.body().get();
        assertThat(body.position()).isZero();
    }

    private static void assertRefused(String line, byte[] body) {
        assertThatThrownBy(() -> CommandCodec.decode(parse(line), ByteBuffer.wrap(body)))
                .isInstanceOf(ProtocolException.class);
    }

    private static CommandLine parse(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        return CommandLine.parse(bytes, 0, bytes.length);
    }

    private static CommandLine lineOf(CommandCodec.Frame frame) {
        return parse(textOf(frame));
    }

    private static String textOf(CommandCodec.Frame frame) {
        String text = new String(frame.line(), StandardCharsets.UTF_8);
        assertThat(text).endsWith("\r\n");
        return text.substring(0, text.length() - 2);
    }
}
