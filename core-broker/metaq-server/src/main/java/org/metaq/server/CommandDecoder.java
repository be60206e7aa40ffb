package org.metaq.server;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.CommandLine;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Limits;
import org.metaq.protocol.ProtocolException;

/**
 * Finds commands in the bytes of one connection. Confined to the connection's event loop.
 *
 * <p>States: LINE until a CRLF, then BODY if the line announces one, PIECE if it announces a large
 * message, or SKIP if it announces more than is allowed; each goes back to LINE. Only bytes that
 * arrived cost memory: the line's buffer grows to {@link Limits#LINE_LENGTH_MAX}, the body's
 * doubles up to the announced length, or to that of a piece.
 */
final class CommandDecoder {
    /**
     * Longest body of a {@code send} that is handed over whole, bytes: costs one record and few
     * copies, and the memory that it takes is small beside any heap that a broker runs with.
     */
    static final int WHOLE_BODY_MAX = 1 << 20;

    /**
     * Length of all pieces of a body but the last: with the 8 bytes before it in a spill file, what
     * a buffer of the store takes, so that it is one write and is read back without memory of its
     * own.
     */
    static final int PIECE_LENGTH = 128 * 1024 - 8;

    /** Body bytes that a connection may hold without asking {@link BodyMemory}. */
    private static final int FREE_BODY_BYTES = 4096;

    private static final int LINE_CAPACITY = 256;
    private static final byte[] NOTHING = {};

    /** What came out of the bytes. */
    sealed interface Decoded {}

    /**
     * A command for the broker.
     *
     * @param lengthBytes line and body
     */
    record Accepted(Command command, int lengthBytes) implements Decoded {}

    /**
     * A large message: its body follows in {@link Piece}s.
     *
     * @param head without the body
     * @param lengthBytes of the line
     */
    record Begun(Command.Send head, int bodyLength, int lengthBytes) implements Decoded {}

    /** The next bytes of the body, which nobody else keeps. */
    record Piece(ByteBuffer bytes) implements Decoded {}

    /** A command that is answered with an error at once; its body is or will be passed over. */
    record Refused(int opaque, ErrorCode error, String text) implements Decoded {}

    private enum State {
        LINE,
        BODY,
        PIECE,
        SKIP
    }

    private final int maxMessageSizeBytes;
    private final int wholeBodyMaxBytes;
    private final BodyMemory memory;
    private final Runnable memoryFreed;

    private State state = State.LINE;
    private byte[] line = NOTHING;
    private int lineLength;
    private int commandLineLength;
    private @Nullable CommandLine commandLine;
    private byte[] body = NOTHING;
    private int bodyCount;
    private int bodyLength;
    private int leftBytes;
    private long takenBytes;
    private long skipBytes;
    private boolean awaitsMemory;

    /**
     * A decoder.
     *
     * @param wholeBodyMaxBytes a longer body of a {@code send} comes in pieces
     * @param memoryFreed run on any thread when decoding may go on after {@link #awaitsMemory}
     */
    CommandDecoder(
            int maxMessageSizeBytes,
            int wholeBodyMaxBytes,
            BodyMemory memory,
            Runnable memoryFreed) {
        this.wholeBodyMaxBytes = wholeBodyMaxBytes;
        this.maxMessageSizeBytes = maxMessageSizeBytes;
        this.memory = memory;
        this.memoryFreed = memoryFreed;
    }

    /**
     * Reads up to one command, or up to one piece of a large message.
     *
     * @return null if more input is needed, or, when {@link #awaitsMemory}, more memory
     * @throws ProtocolViolation if the connection must be closed
     */
    @Nullable Decoded decode(ByteBuf in) throws ProtocolViolation {
        awaitsMemory = false;
        while (true) {
            if (state == State.SKIP) {
                int count = (int) Math.min(skipBytes, in.readableBytes());
                in.skipBytes(count);
                skipBytes -= count;
                if (skipBytes > 0) {
                    return null;
                }
                state = State.LINE;
            } else if (state == State.LINE) {
                if (!readLine(in)) {
                    return null;
                }
                Decoded decoded = startBody();
                if (decoded != null) {
                    return decoded;
                }
            } else if (state == State.PIECE) {
                return readBody(in) ? finishPiece() : null;
            } else {
                return readBody(in) ? finish() : null;
            }
        }
    }

    /** Whether the last {@link #decode} stopped for want of memory. */
    boolean awaitsMemory() {
        return awaitsMemory;
    }

    /** Whether a line or body has begun and is not complete. */
    boolean isInsideCommand() {
        return state != State.LINE || lineLength > 0;
    }

    /** Gives back all memory; the decoder is of no use afterwards. */
    void close() {
        body = NOTHING;
        line = NOTHING;
        giveBack();
    }

    private boolean readLine(ByteBuf in) throws ProtocolViolation {
        while (in.isReadable()) {
            int lf = in.forEachByte(ByteProcessor.FIND_LF);
            int end = lf < 0 ? in.writerIndex() : lf + 1;
            int count = end - in.readerIndex();
            // CRLF are two bytes more than the line
            if (lineLength + count > Limits.LINE_LENGTH_MAX + 2) {
                throw new ProtocolViolation(
                        ProtocolViolation.Kind.LINE_TOO_LONG,
                        "no CRLF within " + Limits.LINE_LENGTH_MAX + " bytes");
            }
            appendToLine(in, count);
            // a bare LF does not end a line: MetaQ's servers wait on
            if (lf >= 0 && lineLength >= 2 && line[lineLength - 2] == '\r') {
                return true;
            }
        }
        return false;
    }

    private void appendToLine(ByteBuf in, int count) {
        if (lineLength + count > line.length) {
            line = Arrays.copyOf(line, Math.max(lineLength + count, LINE_CAPACITY));
        }
        in.readBytes(line, lineLength, count);
        lineLength += count;
    }

    /** Decides what follows the line; null if it is a body that must be complete. */
    private @Nullable Decoded startBody() throws ProtocolViolation {
        int length = lineLength - 2;
        commandLineLength = lineLength;
        lineLength = 0;
        if (length == 0) {
            throw new ProtocolViolation(ProtocolViolation.Kind.BLANK_LINE, "blank line");
        }
        CommandLine parsed = CommandLine.parse(line, 0, length);
        int announced;
        try {
            announced = CommandCodec.bodyLength(parsed);
        } catch (ProtocolException e) {
            throw malformed(e);
        }
        if (announced < 0) {
            throw new ProtocolViolation(
                    ProtocolViolation.Kind.UNKNOWN_COMMAND,
                    "unknown command '" + printable(parsed.word()) + "'");
        }
        if (CommandCodec.isStrayReply(parsed)) {
            state = State.SKIP;
            skipBytes = announced;
            return null;
        }
        boolean isSend = parsed.word().equals("send");
        int limit = limit(parsed, isSend);
        if (announced > limit) {
            return skip(
                    parsed,
                    announced,
                    ErrorCode.MESSAGE_TOO_LARGE,
                    tooLarge(parsed, announced, limit, isSend));
        }
        if (isSend && announced > wholeBodyMaxBytes) {
            return startPieces(parsed, announced);
        }
        commandLine = parsed;
        bodyLength = announced;
        bodyCount = 0;
        state = State.BODY;
        return null;
    }

    private int limit(CommandLine parsed, boolean isSend) {
        if (isSend) {
            return maxMessageSizeBytes;
        }
        return CommandCodec.carriesMessage(parsed)
                ? Math.min(maxMessageSizeBytes, Limits.CLASSIC_BODY_LENGTH_MAX)
                : Limits.CONTROL_BODY_LENGTH_MAX;
    }

    private Refused skip(CommandLine parsed, int announced, ErrorCode error, String text) {
        state = State.SKIP;
        skipBytes = announced;
        return new Refused(CommandCodec.opaqueOf(parsed), error, text);
    }

    private Decoded startPieces(CommandLine parsed, int announced) {
        try {
            Command head = CommandCodec.decode(parsed, ByteBuffer.allocate(0));
            leftBytes = announced;
            startPiece();
            return new Begun((Command.Send) head, announced, commandLineLength);
        } catch (ProtocolException e) {
            String text = String.valueOf(e.getMessage());
            return skip(parsed, announced, ErrorCode.BAD_REQUEST, text);
        }
    }

    private void startPiece() {
        bodyLength = Math.min(PIECE_LENGTH, leftBytes);
        bodyCount = 0;
        state = leftBytes > 0 ? State.PIECE : State.LINE;
    }

    private Decoded finishPiece() {
        ByteBuffer piece = ByteBuffer.wrap(body, 0, bodyLength);
        body = NOTHING;
        giveBack();
        leftBytes -= bodyLength;
        startPiece();
        return new Piece(piece);
    }

    private static String tooLarge(CommandLine parsed, int announced, int limit, boolean isSend) {
        String what = "'" + parsed.word() + "' with a body of " + announced + " bytes exceeds ";
        if (isSend) {
            return what
                    + "maxMessageSize, which is "
                    + limit
                    + " bytes: send smaller messages or raise maxMessageSize in server.ini";
        }
        return CommandCodec.carriesMessage(parsed)
                ? what
                        + "the limit of "
                        + limit
                        + " bytes for classic messages (2 MiB, or maxMessageSize if that is less):"
                        + " send smaller messages, or use a JMS client"
                : what
                        + "the limit of "
                        + limit
                        + " bytes for commands without a message: split it into several commands";
    }

    private boolean readBody(ByteBuf in) {
        while (bodyCount < bodyLength) {
            if (!in.isReadable() || !growBody(in.readableBytes())) {
                return false;
            }
            int count = Math.min(in.readableBytes(), body.length - bodyCount);
            in.readBytes(body, bodyCount, count);
            bodyCount += count;
        }
        return true;
    }

    /** Makes room for at least one more byte, at most doubling what arrived. */
    private boolean growBody(int available) {
        if (bodyCount < body.length) {
            return true;
        }
        long wanted = Math.max(FREE_BODY_BYTES, Math.max(2L * bodyCount, bodyCount + available));
        int capacity = (int) Math.min(bodyLength, wanted);
        long more = Math.max(0, capacity - FREE_BODY_BYTES) - takenBytes;
        if (more > 0) {
            if (!memory.take(this, more, memoryFreed)) {
                awaitsMemory = true;
                return false;
            }
            takenBytes += more;
        }
        body = Arrays.copyOf(body, capacity);
        return true;
    }

    private Decoded finish() throws ProtocolViolation {
        CommandLine decodedLine = Objects.requireNonNull(commandLine);
        ByteBuffer complete = ByteBuffer.wrap(body, 0, bodyLength);
        commandLine = null;
        body = NOTHING;
        state = State.LINE;
        giveBack();
        try {
            Command command = CommandCodec.decode(decodedLine, complete);
            return new Accepted(command, commandLineLength + bodyLength);
        } catch (ProtocolException e) {
            if (CommandCodec.isClassic(decodedLine)) {
                throw malformed(e);
            }
            return new Refused(
                    CommandCodec.opaqueOf(decodedLine),
                    ErrorCode.BAD_REQUEST,
                    String.valueOf(e.getMessage()));
        }
    }

    private void giveBack() {
        if (takenBytes > 0 || awaitsMemory) {
            memory.giveBack(this, takenBytes);
            takenBytes = 0;
        }
    }

    private static ProtocolViolation malformed(ProtocolException cause) {
        ProtocolViolation violation =
                new ProtocolViolation(
                        ProtocolViolation.Kind.MALFORMED_COMMAND,
                        printable(String.valueOf(cause.getMessage())));
        violation.initCause(cause);
        return violation;
    }

    /** Bytes of strangers, made fit for a log line. */
    static String printable(String text) {
        StringBuilder clean = new StringBuilder();
        for (int i = 0; i < text.length() && i < 100; i++) {
            char c = text.charAt(i);
            clean.append(c >= ' ' && c < 127 && c != '"' ? c : '?');
        }
        return clean.toString();
    }
}
