package org.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.metaq.common.Checksums;

/** Replays {@code docs/protocol.md} against the codecs. */
class ProtocolDocTest {
    private static final Path DOC = Path.of("../../docs/protocol.md");
    private static final String CLIENT = "C: ";
    private static final String BROKER = "S: ";
    private static final String CONTINUED = "   ";
    private static final Pattern ERROR_NAME = Pattern.compile("^[A-Z][A-Z_]+(?= |$)");
    private static final Pattern COMMAND_HEADING = Pattern.compile("^### `([a-z-]+)`$");

    /** One line of an example, with those that continue it. */
    record Sent(String direction, byte[] bytes, int docLine) {
        @Override
        public String toString() {
            return "docs/protocol.md line " + docLine;
        }
    }

    /** A command and the reply that follows it, if any. */
    record Exchange(Sent command, Sent reply) {
        @Override
        public String toString() {
            return command.toString();
        }
    }

    static List<Exchange> exchanges() {
        List<Exchange> exchanges = new ArrayList<>();
        Sent command = null;
        for (Sent sent : sent()) {
            if (sent.direction().equals(CLIENT)) {
                if (command != null) {
                    exchanges.add(new Exchange(command, null));
                }
                command = sent;
            } else {
                assertThat(command).as("%s: a reply without a command", sent).isNotNull();
                exchanges.add(new Exchange(command, sent));
                command = null;
            }
        }
        if (command != null) {
            exchanges.add(new Exchange(command, null));
        }
        return exchanges;
    }

    @ParameterizedTest
    @MethodSource("exchanges")
    void shouldDecodeAndEncodeEveryExample(Exchange exchange) throws ProtocolException {
        Command command = command(exchange.command());
        if (exchange.reply() != null) {
            checkReply(command, exchange.reply());
        } else {
            assertThat(command).isInstanceOf(Command.Quit.class);
        }
    }

    @Test
    void shouldShowAnExampleOfEveryCommandUnderItsHeading() throws ProtocolException {
        Set<Class<?>> shown = new java.util.HashSet<>();
        Set<String> words = new TreeSet<>();
        for (Exchange exchange : exchanges()) {
            shown.add(command(exchange.command()).getClass());
            words.add(lineOf(exchange.command().bytes()).word());
        }
        assertThat(shown).containsExactlyInAnyOrder(Command.class.getPermittedSubclasses());
        Set<String> headings = new TreeSet<>();
        for (String line : doc()) {
            Matcher heading = COMMAND_HEADING.matcher(line);
            if (heading.matches()) {
                headings.add(heading.group(1));
            }
        }
        assertThat(headings).isEqualTo(words);
    }

    @Test
    void shouldListExactlyTheErrorsOfTheRegistry() {
        List<String> listed =
                doc().stream()
                        .filter(line -> line.matches("\\| `[A-Z_]+` \\| \\d{3} \\|.*"))
                        .map(line -> line.substring(0, line.lastIndexOf('|', line.length() - 2)))
                        .toList();
        List<String> registered =
                Arrays.stream(ErrorCode.values())
                        .map(
                                code ->
                                        "| `%s` | %d | %s | %d "
                                                .formatted(
                                                        code.name(),
                                                        code.status(),
                                                        code.jmsException(),
                                                        code.xaCode()))
                        .toList();
        assertThat(listed).isEqualTo(registered);
    }

    @Test
    void shouldNameTheLimitsOfTheCode() {
        String text = String.join("\n", doc());
        assertThat(text)
                .contains("| line without CRLF | " + Limits.LINE_LENGTH_MAX + " bytes |")
                .contains("| body of any other command | " + Limits.CONTROL_BODY_LENGTH_MAX + " ")
                .contains("| messages of one `acquire` | 1.." + Limits.ACQUIRE_COUNT_MAX + " |")
                .contains("| bytes of one `acquire` | 1.." + Limits.ACQUIRE_BYTES_MAX + " |")
                .contains("| wait of one `acquire` | 0.." + Limits.ACQUIRE_WAIT_MAX_MS + " ms |")
                .contains("Version is " + CommandCodec.PROTOCOL_VERSION + ".");
    }

    private static Command command(Sent sent) throws ProtocolException {
        CommandLine line = lineOf(sent.bytes());
        ByteBuffer body = bodyOf(sent.bytes());
        assertThat(CommandCodec.bodyLength(line)).as("%s", sent).isEqualTo(body.remaining());
        Command command = CommandCodec.decode(line, body);
        CommandCodec.Frame frame = CommandCodec.encode(command);
        ByteBuffer encoded = ByteBuffer.allocate(frame.length());
        encoded.put(frame.line()).put(frame.body().duplicate());
        assertThat(encoded.array()).as("%s", sent).isEqualTo(sent.bytes());
        if (command instanceof Command.Send send) {
            checkMessage(send.body(), send.checksum(), send.flag());
        } else if (command instanceof Command.Put put) {
            checkMessage(put.body(), put.checksum(), put.flag());
        }
        return command;
    }

    private static void checkReply(Command command, Sent sent) throws ProtocolException {
        CommandLine line = lineOf(sent.bytes());
        ByteBuffer body = bodyOf(sent.bytes());
        assertThat(line.intAt(line.count() - 1)).as("%s", sent).isEqualTo(command.opaque());
        if (line.word().equals("value")) {
            byte[] head = Reply.encodeValueLine(body.remaining(), command.opaque());
            assertThat(Arrays.copyOf(sent.bytes(), head.length)).as("%s", sent).isEqualTo(head);
            checkData(command, body);
        } else {
            String text = StandardCharsets.UTF_8.decode(body).toString();
            int status = line.intAt(1);
            assertThat(Reply.encodeResult(status, text, command.opaque()))
                    .as("%s", sent)
                    .isEqualTo(sent.bytes());
            if (status != Reply.OK && ERROR_NAME.matcher(text).find()) {
                ErrorCode error = new Reply.Result(status, text, command.opaque()).error();
                assertThat(error).as("%s", sent).isNotNull();
                assertThat(status).as("%s", sent).isEqualTo(error.status());
            }
        }
    }

    private static void checkData(Command command, ByteBuffer data) throws ProtocolException {
        if (command instanceof Command.Acquire) {
            for (Delivery delivery : Delivery.readAll(data)) {
                checkStored(delivery.message());
            }
        } else if (command instanceof Command.Browse) {
            assertThat(data.getLong()).isEqualTo(-1);
            assertThat(data.hasRemaining()).isFalse();
        } else if (command instanceof Command.Get) {
            checkStored(data);
        } else if (command instanceof Command.ShowBranch) {
            BodyWriter again = new BodyWriter();
            BranchStatus.read(new BodyReader(data)).write(again);
            assertThat(again.toBuffer()).isEqualTo(data);
        } else {
            fail("no data is the answer to " + command);
        }
    }

    private static void checkStored(ByteBuffer message) throws ProtocolException {
        assertThat(message.getInt(MessageFormat.BODY_LENGTH_OFFSET))
                .isEqualTo(message.remaining() - MessageFormat.HEADER_LENGTH);
        checkMessage(
                message.slice(
                        MessageFormat.HEADER_LENGTH,
                        message.remaining() - MessageFormat.HEADER_LENGTH),
                message.getInt(MessageFormat.CHECKSUM_OFFSET),
                message.getInt(MessageFormat.FLAG_OFFSET));
    }

    private static void checkMessage(ByteBuffer body, int checksum, int flag)
            throws ProtocolException {
        assertThat(Checksums.messageChecksum(body)).isEqualTo(checksum);
        if (MessageFormat.hasEnvelope(flag)) {
            Envelope.checkHead(body);
            byte[] attribute = new byte[body.getInt(body.position())];
            body.get(body.position() + Integer.BYTES, attribute);
            assertThat(Envelope.decode(ByteBuffer.wrap(attribute)).encode()).isEqualTo(attribute);
        }
    }

    // ---- reading the document

    private static List<String> doc() {
        try {
            return Files.readAllLines(DOC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Sent> sent() {
        List<Sent> sent = new ArrayList<>();
        List<String> lines = doc();
        boolean isExample = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("```")) {
                isExample = line.equals("```example");
            } else if (isExample && line.startsWith(CONTINUED) && !sent.isEmpty()) {
                Sent begun = sent.remove(sent.size() - 1);
                byte[] more = unescape(line.substring(CONTINUED.length()));
                byte[] all = Arrays.copyOf(begun.bytes(), begun.bytes().length + more.length);
                System.arraycopy(more, 0, all, begun.bytes().length, more.length);
                sent.add(new Sent(begun.direction(), all, begun.docLine()));
            } else if (isExample) {
                String direction = line.substring(0, Math.min(line.length(), CLIENT.length()));
                assertThat(direction).as("line %d", i + 1).isIn(CLIENT, BROKER);
                sent.add(new Sent(direction, unescape(line.substring(CLIENT.length())), i + 1));
            }
        }
        assertThat(sent).isNotEmpty();
        return sent;
    }

    private static byte[] unescape(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                bytes.write(c);
                continue;
            }
            i++;
            switch (text.charAt(i)) {
                case 'r' -> bytes.write('\r');
                case 'n' -> bytes.write('\n');
                case '\\' -> bytes.write('\\');
                case 'x' -> {
                    bytes.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
                    i += 2;
                }
                default -> fail("unknown escape in: " + text);
            }
        }
        return bytes.toByteArray();
    }

    private static int lineEnd(byte[] frame) {
        for (int i = 0; i + 1 < frame.length; i++) {
            if (frame[i] == '\r' && frame[i + 1] == '\n') {
                return i;
            }
        }
        return fail("no CRLF in " + new String(frame, StandardCharsets.UTF_8));
    }

    private static CommandLine lineOf(byte[] frame) {
        return CommandLine.parse(frame, 0, lineEnd(frame));
    }

    private static ByteBuffer bodyOf(byte[] frame) {
        int start = lineEnd(frame) + 2;
        return ByteBuffer.wrap(frame, start, frame.length - start).slice();
    }
}
