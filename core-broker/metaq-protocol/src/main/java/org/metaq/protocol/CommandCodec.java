package org.metaq.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.common.DestinationKind;
import org.metaq.common.SequenceRange;

/**
 * Commands to bytes and back: a text line ended by CRLF, then the body that the line announces.
 *
 * <p>MetaQ's commands keep their form. Ours are all {@code <word> <argument>… <bodyLength>
 * <opaque>} with {@code bodyLength} 0 where there is none, so that a reader can skip a body that it
 * does not understand.
 */
public final class CommandCodec {
    /** Version that {@code open} carries. */
    public static final int PROTOCOL_VERSION = 1;

    /** Opaque of MetaQ's {@code version} and {@code stats} without one. */
    private static final int NO_OPAQUE = Integer.MAX_VALUE;

    private static final String NO_BRANCH = "-";

    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private CommandCodec() {}

    /**
     * A command on the wire.
     *
     * @param line with its CRLF
     * @param body a view of the command's body, or empty
     */
    public record Frame(byte[] line, ByteBuffer body) {
        /** Bytes in all. */
        public int length() {
            return line.length + body.remaining();
        }
    }

    // ---- encode

    /** The command's bytes. */
    public static Frame encode(Command command) {
        if (command instanceof Command.Send c) {
            return frame(
                    c.body().duplicate(),
                    c,
                    "send",
                    c.topic(),
                    c.partition(),
                    c.flag(),
                    c.checksum(),
                    c.producerId(),
                    c.producerSequence(),
                    c.durability().token(),
                    c.branch() == null ? NO_BRANCH : c.branch());
        } else if (command instanceof Command.Acquire c) {
            return frame(
                    EMPTY, c, "acquire", c.consumerId(), c.maxMessages(), c.maxBytes(), c.waitMs());
        } else if (command instanceof Command.Acknowledge c) {
            return frame(encodeSettlement(c.settlement()), c, "acknowledge");
        } else if (command instanceof Command.Release c) {
            return frame(givenBack(c.settlement(), c.reason()), c, "release", flag(c.delivered()));
        } else if (command instanceof Command.Browse c) {
            return frame(
                    new BodyWriter().string(c.selector()).toBuffer(),
                    c,
                    "browse",
                    c.topic(),
                    c.partition(),
                    c.position(),
                    c.maxMessages(),
                    c.maxBytes());
        } else if (command instanceof Command.Open c) {
            BodyWriter body = new BodyWriter();
            body.string(c.user()).string(c.password()).string(c.clientId()).string(c.key());
            return frame(body.toBuffer(), c, "open", c.version());
        } else if (command instanceof Command.SetClientId c) {
            return frame(string(c.clientId()), c, "client-id");
        } else if (command instanceof Command.Resolve c) {
            return frame(string(c.name()), c, "resolve", word(c.kind()));
        } else if (command instanceof Command.CreateTemporary c) {
            return frame(string(c.name()), c, "create-temporary", word(c.kind()));
        } else if (command instanceof Command.DeleteTemporary c) {
            return frame(EMPTY, c, "delete-temporary", c.topic());
        } else if (command instanceof Command.Subscribe c) {
            BodyWriter body = new BodyWriter();
            body.string(c.subscription()).string(c.selector());
            c.options().write(body);
            return frame(
                    body.toBuffer(),
                    c,
                    "subscribe",
                    c.consumerId(),
                    c.topic(),
                    flag(c.durable()),
                    flag(c.shared()),
                    flag(c.noLocal()));
        } else if (command instanceof Command.CloseConsumer c) {
            return frame(encodeSettlement(c.undelivered()), c, "close-consumer", c.consumerId());
        } else if (command instanceof Command.Unsubscribe c) {
            return frame(string(c.subscription()), c, "unsubscribe");
        } else {
            return encodeTransactionOrClassic(command);
        }
    }

    private static Frame encodeTransactionOrClassic(Command command) {
        if (command instanceof Command.Begin c) {
            return frame(
                    EMPTY, c, "begin", c.branch(), c.session(), word(c.mode()), c.timeoutSeconds());
        } else if (command instanceof Command.End c) {
            return frame(
                    encodeSettlement(c.acknowledged()),
                    c,
                    "end",
                    c.branch(),
                    c.session(),
                    word(c.mode()));
        } else if (command instanceof Command.Prepare c) {
            return frame(EMPTY, c, "prepare", c.branch());
        } else if (command instanceof Command.Commit c) {
            return frame(
                    encodeSettlement(c.acknowledged()),
                    c,
                    "commit",
                    c.branch(),
                    flag(c.onePhase()));
        } else if (command instanceof Command.Rollback c) {
            return frame(
                    givenBack(c.consumed(), c.reason()),
                    c,
                    "rollback",
                    c.branch(),
                    flag(c.delivered()));
        } else if (command instanceof Command.Recover c) {
            return frame(EMPTY, c, "recover");
        } else if (command instanceof Command.Forget c) {
            return frame(EMPTY, c, "forget", c.branch());
        } else if (command instanceof Command.Reload c) {
            return frame(EMPTY, c, "reload");
        } else if (command instanceof Command.ListBranches c) {
            return frame(EMPTY, c, "list-branches", flag(c.inDoubtOnly()));
        } else if (command instanceof Command.ShowBranch c) {
            return frame(EMPTY, c, "show-branch", c.branch());
        } else if (command instanceof Command.DecideBranch c) {
            return frame(EMPTY, c, "decide-branch", c.branch(), word(c.decision()));
        } else if (command instanceof Command.OffsetOfTime c) {
            return frame(EMPTY, c, "offset-of-time", c.topic(), c.partition(), c.timestampMs());
        } else if (command instanceof Command.Put c) {
            String branch = c.branch() == null ? "" : c.branch() + " ";
            return classic(
                    c.body().duplicate(),
                    "put",
                    c.topic(),
                    c.partition(),
                    c.body().remaining(),
                    c.flag(),
                    c.checksum(),
                    branch + c.opaque());
        } else if (command instanceof Command.Sync c) {
            return classic(
                    c.body().duplicate(),
                    "sync",
                    c.topic(),
                    c.partition(),
                    c.body().remaining(),
                    c.flag(),
                    c.messageId(),
                    c.checksum(),
                    c.opaque());
        } else if (command instanceof Command.Transaction c) {
            return transaction(c);
        } else if (command instanceof Command.Get c) {
            return classic(
                    EMPTY,
                    "get",
                    c.topic(),
                    c.group(),
                    c.partition(),
                    c.offset(),
                    c.maxSize(),
                    c.opaque());
        } else if (command instanceof Command.Offset c) {
            return classic(
                    EMPTY, "offset", c.topic(), c.group(), c.partition(), c.offset(), c.opaque());
        } else if (command instanceof Command.Version c) {
            return classic(EMPTY, "version", c.opaque());
        } else if (command instanceof Command.Stats c) {
            return classic(EMPTY, "stats", c.item(), c.opaque());
        } else {
            return classic(EMPTY, "quit");
        }
    }

    private static Frame frame(ByteBuffer body, Command command, Object... tokens) {
        StringBuilder line = join(tokens);
        line.append(' ').append(body.remaining()).append(' ').append(command.opaque());
        return new Frame(line.append("\r\n").toString().getBytes(StandardCharsets.UTF_8), body);
    }

    private static Frame classic(ByteBuffer body, Object... tokens) {
        return new Frame(
                join(tokens).append("\r\n").toString().getBytes(StandardCharsets.UTF_8), body);
    }

    private static Frame transaction(Command.Transaction c) {
        StringBuilder line = join("transaction", c.branch(), c.sessionId(), c.type());
        if (c.timeoutSeconds() > 0) {
            line.append(' ').append(c.timeoutSeconds());
        }
        if (!c.qualifier().isEmpty()) {
            line.append(' ').append(c.qualifier());
        }
        return classic(EMPTY, line, c.opaque());
    }

    private static StringBuilder join(@Nullable Object... tokens) {
        StringBuilder line = new StringBuilder(96);
        for (Object token : tokens) {
            if (line.length() > 0) {
                line.append(' ');
            }
            line.append(token);
        }
        return line;
    }

    private static char flag(boolean value) {
        return value ? '1' : '0';
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static ByteBuffer string(String value) {
        return ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
    }

    private static ByteBuffer encodeSettlement(Settlement settlement) {
        if (settlement.isEmpty()) {
            return EMPTY.duplicate();
        }
        BodyWriter body = new BodyWriter();
        writeSettlement(body, settlement);
        return body.toBuffer();
    }

    private static ByteBuffer givenBack(Settlement settlement, String reason) {
        BodyWriter body = new BodyWriter();
        writeSettlement(body, settlement);
        body.string(reason);
        return body.toBuffer();
    }

    /**
     * Writes a settlement: per entry int64 subscription id, int32 partition, int32 count of ranges,
     * per range int64 first and int64 last.
     */
    public static void writeSettlement(BodyWriter to, Settlement settlement) {
        to.i32(settlement.entries().size());
        for (Settlement.Entry entry : settlement.entries()) {
            to.i64(entry.subscriptionId()).i32(entry.partition()).i32(entry.ranges().size());
            for (SequenceRange range : entry.ranges()) {
                to.i64(range.first()).i64(range.last());
            }
        }
    }

    /**
     * Reads what {@link #writeSettlement} wrote.
     *
     * @throws ProtocolException if it is cut short or holds no valid ranges
     */
    public static Settlement readSettlement(BodyReader from) throws ProtocolException {
        int entryCount = from.count(Long.BYTES + Integer.BYTES + Integer.BYTES);
        List<Settlement.Entry> entries = new ArrayList<>(entryCount);
        for (int i = 0; i < entryCount; i++) {
            long subscriptionId = from.i64();
            int partition = from.i32();
            int rangeCount = from.count(2 * Long.BYTES);
            List<SequenceRange> ranges = new ArrayList<>(rangeCount);
            for (int j = 0; j < rangeCount; j++) {
                long first = from.i64();
                long last = from.i64();
                if (first < 0 || last < first) {
                    throw new ProtocolException("not a range of sequences: " + first + ".." + last);
                }
                ranges.add(new SequenceRange(first, last));
            }
            entries.add(new Settlement.Entry(subscriptionId, partition, ranges));
        }
        return new Settlement(entries);
    }

    // ---- decode

    /**
     * How many bytes of body follow this line.
     *
     * @return 0 or more; -1 if the word is not known
     * @throws ProtocolException if the line does not say so properly
     */
    public static int bodyLength(CommandLine line) throws ProtocolException {
        int length;
        switch (line.word()) {
            case "get", "offset", "version", "stats", "quit", "transaction":
                return 0;
            case "put", "sync":
                length = line.intAt(3);
                break;
            case "result":
                length = line.intAt(2);
                break;
            case "value":
                length = line.intAt(1);
                break;
            case "send",
            "acquire",
            "acknowledge",
            "release",
            "browse",
            "open",
            "client-id",
            "resolve",
            "create-temporary",
            "delete-temporary",
            "subscribe",
            "close-consumer",
            "unsubscribe",
            "begin",
            "end",
            "prepare",
            "commit",
            "rollback",
            "recover",
            "forget",
            "reload",
            "list-branches",
            "show-branch",
            "decide-branch",
            "offset-of-time":
                if (line.count() < 3) {
                    throw new ProtocolException("'" + line.word() + "' announces no body length");
                }
                length = line.intAt(line.count() - 2);
                break;
            default:
                return isVersion(line) ? 0 : -1;
        }
        if (length < 0) {
            throw new ProtocolException(
                    "'" + line.word() + "' announces a body of " + length + " bytes");
        }
        return length;
    }

    /** True for a reply that a client sends by mistake: MetaQ's servers pass over it. */
    public static boolean isStrayReply(CommandLine line) {
        return line.word().equals("result") || line.word().equals("value");
    }

    /** MetaQ's servers take every word with this first letter for a heartbeat. */
    private static boolean isVersion(CommandLine line) {
        return line.word().startsWith("v");
    }

    /** True for the commands whose body is a message: only {@code maxMessageSize} limits it. */
    public static boolean carriesMessage(CommandLine line) {
        return switch (line.word()) {
            case "put", "send", "sync" -> true;
            default -> false;
        };
    }

    /** True for MetaQ's own commands: its servers close the connection on a malformed one. */
    public static boolean isClassic(CommandLine line) {
        return switch (line.word()) {
            case "put", "get", "offset", "stats", "quit", "transaction", "sync" -> true;
            default -> isVersion(line);
        };
    }

    /** The opaque number of a line, as far as it has one: what an error reply needs. */
    public static int opaqueOf(CommandLine line) {
        try {
            return line.intAt(line.count() - 1);
        } catch (ProtocolException e) {
            return NO_OPAQUE;
        }
    }

    /**
     * Decodes a command whose body is complete.
     *
     * @param body exactly {@link #bodyLength} bytes; a {@code put} or {@code send} keeps a view of
     *     it
     * @throws ProtocolException if the line or the body is not valid
     */
    public static Command decode(CommandLine line, ByteBuffer body) throws ProtocolException {
        try {
            BodyReader in = new BodyReader(body);
            Command command = decodeChecked(line, body, in);
            if (!keepsBody(command)) {
                in.end();
            }
            return command;
        } catch (IllegalArgumentException e) {
            throw new ProtocolException("'" + line.word() + "': " + e.getMessage(), e);
        }
    }

    private static boolean keepsBody(Command command) {
        return command instanceof Command.Put
                || command instanceof Command.Send
                || command instanceof Command.Sync;
    }

    private static Command decodeChecked(CommandLine l, ByteBuffer body, BodyReader in)
            throws ProtocolException {
        switch (l.word()) {
            case "send":
                expect(l, 11);
                return new Command.Send(
                        l.token(1),
                        l.intAt(2),
                        l.intAt(3),
                        l.intAt(4),
                        l.longAt(5),
                        l.longAt(6),
                        Durability.ofToken(l.token(7)),
                        branchOrNull(l.token(8)),
                        body,
                        l.intAt(10));
            case "acquire":
                expect(l, 7);
                return acquire(l);
            case "acknowledge":
                expect(l, 3);
                return new Command.Acknowledge(settlement(in), l.intAt(2));
            case "release":
                expect(l, 4);
                return new Command.Release(
                        readSettlement(in), l.flagAt(1), in.string(), l.intAt(3));
            case "browse":
                expect(l, 8);
                return browse(l, in.string());
            case "open":
                expect(l, 4);
                return new Command.Open(
                        l.intAt(1), in.string(), in.string(), in.string(), in.string(), l.intAt(3));
            case "client-id":
                expect(l, 3);
                return new Command.SetClientId(text(in), l.intAt(2));
            case "resolve":
                expect(l, 4);
                return new Command.Resolve(
                        constant(DestinationKind.class, l, 1), text(in), l.intAt(3));
            case "create-temporary":
                expect(l, 4);
                return new Command.CreateTemporary(
                        constant(DestinationKind.class, l, 1), text(in), l.intAt(3));
            case "delete-temporary":
                expect(l, 4);
                return new Command.DeleteTemporary(l.token(1), l.intAt(3));
            case "subscribe":
                expect(l, 8);
                return new Command.Subscribe(
                        l.intAt(1),
                        l.token(2),
                        in.string(),
                        l.flagAt(3),
                        l.flagAt(4),
                        l.flagAt(5),
                        in.string(),
                        SubscribeOptions.read(in),
                        l.intAt(7));
            case "close-consumer":
                expect(l, 4);
                return new Command.CloseConsumer(l.intAt(1), settlement(in), l.intAt(3));
            case "unsubscribe":
                expect(l, 3);
                return new Command.Unsubscribe(text(in), l.intAt(2));
            default:
                return decodeTransactionOrClassic(l, body, in);
        }
    }

    private static Command decodeTransactionOrClassic(CommandLine l, ByteBuffer body, BodyReader in)
            throws ProtocolException {
        switch (l.word()) {
            case "begin":
                expect(l, 7);
                return new Command.Begin(
                        BranchId.parse(l.token(1)),
                        l.intAt(2),
                        constant(Command.BeginMode.class, l, 3),
                        l.intAt(4),
                        l.intAt(6));
            case "end":
                expect(l, 6);
                return new Command.End(
                        BranchId.parse(l.token(1)),
                        l.intAt(2),
                        constant(Command.EndMode.class, l, 3),
                        settlement(in),
                        l.intAt(5));
            case "prepare":
                expect(l, 4);
                return new Command.Prepare(BranchId.parse(l.token(1)), l.intAt(3));
            case "commit":
                expect(l, 5);
                return new Command.Commit(
                        BranchId.parse(l.token(1)), l.flagAt(2), settlement(in), l.intAt(4));
            case "rollback":
                expect(l, 5);
                return new Command.Rollback(
                        BranchId.parse(l.token(1)),
                        readSettlement(in),
                        l.flagAt(2),
                        in.string(),
                        l.intAt(4));
            case "recover":
                expect(l, 3);
                return new Command.Recover(l.intAt(2));
            case "reload":
                expect(l, 3);
                return new Command.Reload(l.intAt(2));
            case "list-branches":
                expect(l, 4);
                return new Command.ListBranches(l.flagAt(1), l.intAt(3));
            case "show-branch":
                expect(l, 4);
                return new Command.ShowBranch(BranchId.parse(l.token(1)), l.intAt(3));
            case "decide-branch":
                expect(l, 5);
                return new Command.DecideBranch(
                        BranchId.parse(l.token(1)),
                        constant(Command.Decision.class, l, 2),
                        l.intAt(4));
            case "forget":
                expect(l, 4);
                return new Command.Forget(BranchId.parse(l.token(1)), l.intAt(3));
            case "offset-of-time":
                expect(l, 6);
                return new Command.OffsetOfTime(l.token(1), l.intAt(2), l.longAt(3), l.intAt(5));
            case "put":
                return put(l, body);
            case "transaction":
                return transaction(l);
            case "get":
                expect(l, 7);
                return new Command.Get(
                        l.token(1), l.token(2), l.intAt(3), l.longAt(4), l.intAt(5), l.intAt(6));
            case "offset":
                expect(l, 6);
                return new Command.Offset(
                        l.token(1), l.token(2), l.intAt(3), l.longAt(4), l.intAt(5));
            case "sync":
                return sync(l, body);
            case "stats":
                return new Command.Stats(
                        l.count() > 1 ? l.token(1) : "", l.count() > 2 ? l.intAt(2) : NO_OPAQUE);
            case "quit":
                return new Command.Quit(NO_OPAQUE);
            default:
                if (isVersion(l)) {
                    return new Command.Version(l.count() > 1 ? l.intAt(1) : NO_OPAQUE);
                }
                throw new ProtocolException("unknown command '" + l.word() + "'");
        }
    }

    /**
     * MetaQ's put: 7 tokens with a checksum, 8 in a transaction; without a checksum, as clients
     * before 1.4.4 send it, 6 and 7.
     */
    private static Command put(CommandLine l, ByteBuffer body) throws ProtocolException {
        int checksum = -1;
        BranchId branch = null;
        if (l.count() == 8) {
            checksum = l.intAt(5);
            branch = BranchId.parse(l.token(6));
        } else if (l.count() == 7 && isNumber(l.token(5))) {
            checksum = l.intAt(5);
        } else if (l.count() == 7) {
            branch = BranchId.parse(l.token(5));
        } else if (l.count() != 6) {
            throw new ProtocolException("'put' takes 6 to 8 tokens, not " + l.count());
        }
        return new Command.Put(
                l.token(1), l.intAt(2), l.intAt(4), checksum, branch, body, l.intAt(l.count() - 1));
    }

    /** MetaQ's sync: 8 tokens with a checksum, 7 without. */
    private static Command sync(CommandLine l, ByteBuffer body) throws ProtocolException {
        if (l.count() != 7 && l.count() != 8) {
            throw new ProtocolException("'sync' takes 7 or 8 tokens, not " + l.count());
        }
        return new Command.Sync(
                l.token(1),
                l.intAt(2),
                l.intAt(4),
                l.longAt(5),
                l.count() == 8 ? l.intAt(6) : -1,
                body,
                l.intAt(l.count() - 1));
    }

    private static boolean isNumber(String token) {
        return !token.isEmpty() && (token.charAt(0) == '-' || Character.isDigit(token.charAt(0)));
    }

    /** MetaQ's transaction: the time-out, all digits, and the qualifier may each be absent. */
    private static Command transaction(CommandLine l) throws ProtocolException {
        if (l.count() < 5 || l.count() > 7) {
            throw new ProtocolException("'transaction' takes 5 to 7 tokens, not " + l.count());
        }
        Command.TransactionType type = Command.TransactionType.valueOf(l.token(3));
        int timeoutSeconds = 0;
        String qualifier = "";
        if (l.count() == 7) {
            timeoutSeconds = l.intAt(4);
            qualifier = l.token(5);
        } else if (l.count() == 6 && l.token(4).chars().allMatch(Character::isDigit)) {
            timeoutSeconds = l.intAt(4);
        } else if (l.count() == 6) {
            qualifier = l.token(4);
        }
        BranchId branch = l.token(1).equals("null") ? null : BranchId.parse(l.token(1));
        if (branch == null && type != Command.TransactionType.RECOVER) {
            throw new ProtocolException("'transaction' " + type + " needs a transaction key");
        }
        return new Command.Transaction(
                branch, l.token(2), type, timeoutSeconds, qualifier, l.intAt(l.count() - 1));
    }

    private static Command acquire(CommandLine l) throws ProtocolException {
        int waitMs = l.intAt(4);
        checkRange(l, "wait", waitMs, 0, Limits.ACQUIRE_WAIT_MAX_MS);
        return new Command.Acquire(
                l.intAt(1), messageCount(l, 2), byteCount(l, 3), waitMs, l.intAt(6));
    }

    private static Command browse(CommandLine l, String selector) throws ProtocolException {
        return new Command.Browse(
                l.token(1),
                l.intAt(2),
                l.longAt(3),
                messageCount(l, 4),
                byteCount(l, 5),
                selector,
                l.intAt(7));
    }

    private static int messageCount(CommandLine l, int index) throws ProtocolException {
        int count = l.intAt(index);
        checkRange(l, "message count", count, 1, Limits.ACQUIRE_COUNT_MAX);
        return count;
    }

    private static int byteCount(CommandLine l, int index) throws ProtocolException {
        int count = l.intAt(index);
        checkRange(l, "byte count", count, 1, Limits.ACQUIRE_BYTES_MAX);
        return count;
    }

    private static void checkRange(CommandLine l, String what, int value, int min, int max)
            throws ProtocolException {
        if (value < min || value > max) {
            throw new ProtocolException(
                    "'%s' with a %s of %d; it must be %d..%d"
                            .formatted(l.word(), what, value, min, max));
        }
    }

    private static void expect(CommandLine line, int count) throws ProtocolException {
        if (line.count() != count) {
            throw new ProtocolException(
                    "'" + line.word() + "' takes " + count + " tokens, not " + line.count());
        }
    }

    private static Settlement settlement(BodyReader in) throws ProtocolException {
        return in.remaining() == 0 ? Settlement.NONE : readSettlement(in);
    }

    private static String text(BodyReader in) {
        return StandardCharsets.UTF_8.decode(in.rest()).toString();
    }

    private static @Nullable BranchId branchOrNull(String token) {
        return token.equals(NO_BRANCH) ? null : BranchId.parse(token);
    }

    private static <E extends Enum<E>> E constant(Class<E> type, CommandLine line, int index)
            throws ProtocolException {
        String token = line.token(index);
        for (E constant : type.getEnumConstants()) {
            if (word(constant).equals(token)) {
                return constant;
            }
        }
        throw new ProtocolException(
                "token " + index + " of '" + line.word() + "' is unknown: " + token);
    }
}
