package org.metaq.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.metaq.common.BranchId;
import org.metaq.common.Checksums;
import org.metaq.common.DestinationKind;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.Durability;
import org.metaq.protocol.MessageFormat;
import org.metaq.protocol.RedeliveryPolicy;
import org.metaq.protocol.Settlement;
import org.metaq.protocol.StartPosition;
import org.metaq.protocol.SubscribeOptions;

/**
 * Commands that are almost right, and bytes that are none. What it gives follows from the random
 * numbers that it is made with. Not thread-safe.
 */
final class FuzzInput {
    private static final List<String> TOPICS =
            List.of("fuzz", "fuzz2", "queue@fuzz", "queue@fuzz2", "nowhere", "tempqueue@1-1-1-1");
    private static final List<String> NUMBERS =
            List.of(
                    "-1",
                    "0",
                    "1",
                    "2147483647",
                    "2147483648",
                    "-2147483648",
                    "-2147483649",
                    "9223372036854775807",
                    "9223372036854775808",
                    "-9223372036854775808",
                    "99999999999999999999999999",
                    "007",
                    "+5",
                    "1e9",
                    "0x10",
                    "--1",
                    "",
                    "NaN");
    private static final List<String> WORDS =
            List.of(
                    "put",
                    "get",
                    "offset",
                    "version",
                    "stats",
                    "quit",
                    "transaction",
                    "sync",
                    "send",
                    "acquire",
                    "acknowledge",
                    "release",
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
                    "list-branches",
                    "show-branch",
                    "decide-branch",
                    "offset-of-time",
                    "result",
                    "value",
                    "PUT",
                    "puts");

    private final Random random;
    private int opaque = 1;

    FuzzInput(Random random) {
        this.random = random;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** First command of a session. */
    byte[] open() {
        String clientId = chance(70) ? "" : "client" + random.nextInt(5);
        return bytes(
                CommandCodec.encode(
                        new Command.Open(
                                CommandCodec.PROTOCOL_VERSION, "", "", clientId, opaque++)));
    }

    /** A command that a connection survives: its line is one, though its values may be absurd. */
    byte[] tame() {
        Command command = chance(30) ? classic() : own();
        CommandCodec.Frame frame = CommandCodec.encode(command);
        boolean isOwn = !(command instanceof Command.Quit) && !isClassic(command);
        if (isOwn && chance(45)) {
            return withOddArguments(frame);
        }
        byte[] all = bytes(frame);
        if (isOwn && frame.body().hasRemaining() && chance(30)) {
            all[frame.line().length + random.nextInt(frame.body().remaining())] =
                    (byte) random.nextInt();
        }
        return all;
    }

    /** Anything; most of it makes the broker close the connection. */
    byte[] wild() {
        byte[] valid = bytes(CommandCodec.encode(chance(50) ? classic() : own()));
        return switch (random.nextInt(9)) {
            case 0 -> noise();
            case 1 -> Arrays.copyOf(valid, random.nextInt(valid.length));
            case 2 -> absurdLine();
            case 3 -> withoutLineEnd(valid);
            case 4 -> withWrongLength();
            case 5 -> "\r\n".getBytes(StandardCharsets.ISO_8859_1);
            case 6 -> longLine();
            default -> mutated(valid);
        };
    }

    // ---- valid commands

    private static boolean isClassic(Command command) {
        return command instanceof Command.Put
                || command instanceof Command.Get
                || command instanceof Command.Offset
                || command instanceof Command.Version
                || command instanceof Command.Stats
                || command instanceof Command.Sync
                || command instanceof Command.Transaction;
    }

    private Command classic() {
        String topic = topic();
        int partition = chance(80) ? 0 : random.nextInt();
        long offset = chance(50) ? random.nextInt(2000) : random.nextLong();
        ByteBuffer body = body();
        int checksum = chance(70) ? Checksums.messageChecksum(body) : random.nextInt();
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 ->
                    new Command.Put(topic, partition, flag(), checksum, body, opaque++);
            case 5 -> new Command.Put(topic, partition, flag(), checksum, branch(), body, opaque++);
            case 6, 7, 8, 9 -> new Command.Get(topic, "g", partition, offset, size(), opaque++);
            case 10, 11 -> new Command.Offset(topic, "g", partition, offset, opaque++);
            case 12, 13 -> new Command.Version(opaque++);
            case 14 -> new Command.Stats(chance(50) ? "" : any(WORDS), opaque++);
            case 15 -> new Command.Sync(topic, partition, flag(), offset, checksum, body, opaque++);
            default -> transaction();
        };
    }

    private Command transaction() {
        Command.TransactionType type =
                Command.TransactionType.values()[
                        random.nextInt(Command.TransactionType.values().length)];
        boolean isRecover = type == Command.TransactionType.RECOVER;
        int timeout = type == Command.TransactionType.BEGIN ? random.nextInt(100) : 0;
        return new Command.Transaction(
                isRecover ? null : branch(), "s", type, timeout, "", opaque++);
    }

    private Command own() {
        int consumer = random.nextInt(3);
        return switch (random.nextInt(28)) {
            case 0, 1, 2, 3, 4 -> send();
            case 5 -> new Command.Resolve(kind(), "fuzz" + random.nextInt(3), opaque++);
            case 6 ->
                    new Command.CreateTemporary(
                            chance(50)
                                    ? DestinationKind.TEMPORARY_QUEUE
                                    : DestinationKind.TEMPORARY_TOPIC,
                            opaque++);
            case 7 -> new Command.DeleteTemporary(topic(), opaque++);
            case 8, 9 ->
                    new Command.Subscribe(
                            consumer,
                            topic(),
                            chance(50) ? "" : "s" + random.nextInt(4),
                            chance(50),
                            chance(50),
                            chance(20),
                            chance(80) ? "" : "a = 1",
                            subscribeOptions(),
                            opaque++);
            case 10 -> new Command.CloseConsumer(consumer, settlement(), opaque++);
            case 11 -> new Command.Unsubscribe("s" + random.nextInt(4), opaque++);
            case 12, 13 ->
                    new Command.Acquire(
                            consumer,
                            1 + random.nextInt(100),
                            1 + random.nextInt(1 << 20),
                            chance(80) ? 0 : random.nextInt(60_000),
                            opaque++);
            case 14 -> new Command.Acknowledge(settlement(), opaque++);
            case 15 ->
                    new Command.Release(
                            settlement(), chance(50), chance(50) ? "" : "why", opaque++);
            case 16 ->
                    new Command.Begin(
                            branch(), 0, any(List.of(Command.BeginMode.values())), 1, opaque++);
            case 17 ->
                    new Command.End(
                            branch(),
                            0,
                            any(List.of(Command.EndMode.values())),
                            settlement(),
                            opaque++);
            case 18 -> new Command.Prepare(branch(), opaque++);
            case 19 -> new Command.Commit(branch(), chance(50), settlement(), opaque++);
            case 20 ->
                    new Command.Rollback(
                            branch(), settlement(), chance(50), chance(50) ? "" : "why", opaque++);
            case 21 -> new Command.Forget(branch(), opaque++);
            case 22 -> new Command.Recover(opaque++);
            case 23 ->
                    new Command.Browse(
                            topic(),
                            random.nextInt(3) - 1,
                            chance(80) ? 0 : random.nextLong(),
                            1 + random.nextInt(100),
                            1 + random.nextInt(1 << 20),
                            chance(80) ? "" : "a = 1",
                            opaque++);
            case 24 -> new Command.ListBranches(chance(50), opaque++);
            case 25 -> new Command.ShowBranch(branch(), opaque++);
            case 26 ->
                    new Command.DecideBranch(
                            branch(), any(List.of(Command.Decision.values())), opaque++);
            default -> new Command.OffsetOfTime(topic(), 0, random.nextLong(), opaque++);
        };
    }

    private SubscribeOptions subscribeOptions() {
        if (chance(70)) {
            return SubscribeOptions.NONE;
        }
        StartPosition start =
                any(
                        List.of(
                                StartPosition.EARLIEST,
                                StartPosition.LATEST,
                                StartPosition.time(random.nextLong() >>> 1),
                                StartPosition.offset(random.nextInt(3), random.nextLong() >>> 1)));
        Map<String, String> redelivery =
                chance(50)
                        ? Map.of()
                        : Map.of(
                                RedeliveryPolicy.MAX_DELIVERIES,
                                Integer.toString(random.nextInt(3)),
                                RedeliveryPolicy.DELAY,
                                Integer.toString(random.nextInt(50)),
                                RedeliveryPolicy.DEAD_LETTER,
                                chance(20) ? "" : "dead");
        return new SubscribeOptions(start, chance(50), redelivery);
    }

    private Command send() {
        // one in a thousand comes in pieces
        ByteBuffer body =
                random.nextInt(1000) == 0
                        ? ByteBuffer.allocate(
                                CommandDecoder.WHOLE_BODY_MAX + random.nextInt(500_000))
                        : body();
        return new Command.Send(
                topic(),
                chance(70) ? -1 : random.nextInt(3),
                flag(),
                chance(70) ? Checksums.messageChecksum(body) : random.nextInt(),
                random.nextInt(5),
                random.nextInt(1000),
                any(List.of(Durability.values())),
                chance(70) ? null : branch(),
                body,
                opaque++);
    }

    private String topic() {
        return any(TOPICS);
    }

    private DestinationKind kind() {
        return chance(50) ? DestinationKind.QUEUE : DestinationKind.TOPIC;
    }

    private BranchId branch() {
        return chance(50)
                ? BranchId.local("s", random.nextInt(4))
                : BranchId.xa(
                        random.nextInt(3), new byte[] {(byte) random.nextInt(4)}, new byte[1]);
    }

    private ByteBuffer body() {
        byte[] body = new byte[random.nextInt(chance(95) ? 200 : 20_000)];
        random.nextBytes(body);
        return ByteBuffer.wrap(body);
    }

    private int flag() {
        return chance(80)
                ? 0
                : any(
                        List.of(
                                MessageFormat.FLAG_ATTRIBUTE,
                                MessageFormat.FLAG_ATTRIBUTE | MessageFormat.FLAG_ENVELOPE,
                                random.nextInt()));
    }

    private int size() {
        return chance(80) ? random.nextInt(1 << 20) : random.nextInt();
    }

    private Settlement settlement() {
        if (chance(40)) {
            return Settlement.NONE;
        }
        long first = chance(80) ? random.nextInt(50) : random.nextLong() >>> 1;
        long last = chance(80) ? first : Long.MAX_VALUE;
        return new Settlement(
                List.of(
                        new Settlement.Entry(
                                random.nextInt(6) - 2L,
                                chance(90) ? 0 : random.nextInt(5),
                                List.of(new SequenceRange(first, last)))));
    }

    // ---- and what is wrong with them

    /** Arguments from elsewhere; word, body length and opaque number stay. */
    private byte[] withOddArguments(CommandCodec.Frame frame) {
        String line = new String(frame.line(), StandardCharsets.ISO_8859_1).strip();
        String[] tokens = line.split(" ", -1);
        for (int i = 1; i < tokens.length - 2; i++) {
            if (chance(40)) {
                tokens[i] = chance(60) ? any(NUMBERS) : chance(50) ? any(WORDS) : topic();
            }
        }
        return joined(String.join(" ", tokens) + "\r\n", frame.body());
    }

    private byte[] mutated(byte[] valid) {
        byte[] bytes = valid.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes = joined(bytes, at, bytes, random.nextInt(bytes.length));
                default -> bytes[at] = (byte) (chance(50) ? ' ' : '\r');
            }
        }
        return bytes;
    }

    private byte[] absurdLine() {
        StringBuilder line = new StringBuilder(any(WORDS));
        for (int i = random.nextInt(12); i > 0; i--) {
            line.append(' ').append(chance(60) ? any(NUMBERS) : topic());
        }
        return joined(line.append("\r\n").toString(), body());
    }

    private byte[] withWrongLength() {
        String length = any(NUMBERS);
        String line =
                chance(50)
                        ? "put fuzz 0 " + length + " 0 " + opaque++ + "\r\n"
                        : "send fuzz 0 0 -1 0 0 s - " + length + " " + opaque++ + "\r\n";
        return joined(line, body());
    }

    private static byte[] withoutLineEnd(byte[] valid) {
        String text = new String(valid, StandardCharsets.ISO_8859_1).replace("\r\n", "\n");
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private byte[] longLine() {
        byte[] line = new byte[random.nextInt(20_000)];
        Arrays.fill(line, (byte) (chance(50) ? 'x' : ' '));
        return line;
    }

    private byte[] noise() {
        byte[] noise = new byte[1 + random.nextInt(400)];
        random.nextBytes(noise);
        return noise;
    }

    private static byte[] bytes(CommandCodec.Frame frame) {
        return joined(new String(frame.line(), StandardCharsets.ISO_8859_1), frame.body());
    }

    private static byte[] joined(String line, ByteBuffer body) {
        byte[] head = line.getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = Arrays.copyOf(head, head.length + body.remaining());
        body.duplicate().get(all, head.length, body.remaining());
        return all;
    }

    /** The first bytes of one and the last of the other. */
    private static byte[] joined(byte[] one, int end, byte[] other, int start) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(one, 0, Math.max(1, end));
        out.write(other, start, other.length - start);
        return out.toByteArray();
    }
}
