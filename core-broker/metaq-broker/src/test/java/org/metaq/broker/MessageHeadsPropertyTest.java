package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.MessageFormat;
import org.metaq.selector.Selector;
import org.metaq.store.io.DiskDirectory;
import org.metaq.store.log.LogContext;
import org.metaq.store.log.LogOptions;
import org.metaq.store.log.MemoryLog;
import org.metaq.store.log.MessageLog;
import org.metaq.store.log.PartitionLog;

/**
 * Messages of all forms, read in any order: what {@link MessageHeads} shows of each, and what a
 * selector makes of it, is what was written.
 */
class MessageHeadsPropertyTest {
    private static final int MESSAGE_COUNT = 1_500;
    private static final String LONG_NAME = "n".repeat(300);
    private static final List<String> NAMES =
            List.of("n", "na", "kind", "\u00e9t\u00e9", LONG_NAME, "JMSXGroupID");

    @TempDir Path root;

    /** What a message must look like; no envelope: sent by a classic client. */
    private record Written(@Nullable Envelope envelope, @Nullable String attribute) {}

    @Test
    void shouldShowWhatWasWrittenToAPartitionLog() throws Exception {
        try (LogContext context =
                new LogContext(
                        DiskDirectory.open(root),
                        LogOptions.defaults().withSegmentLengthMaxBytes(1 << 20))) {
            for (long seed = 1; seed <= 10; seed++) {
                shouldShowWhatWasWritten(PartitionLog.open(context, "log-" + seed), seed);
            }
        }
    }

    @Test
    void shouldShowWhatWasWrittenToAMemoryLog() throws Exception {
        for (long seed = 1; seed <= 10; seed++) {
            shouldShowWhatWasWritten(new MemoryLog("log"), seed);
        }
    }

    private static void shouldShowWhatWasWritten(MessageLog log, long seed) throws Exception {
        Random random = new Random(seed);
        List<Written> written = new ArrayList<>();
        Selector selector =
                Selector.parse("n BETWEEN 10 AND 60 AND (kind = 'red' OR kind IS NULL)");
        MessageHeads heads = new MessageHeads();
        long sequence = 0;
        while (written.size() < MESSAGE_COUNT) {
            for (int i = random.nextInt(100); i >= 0; i--) {
                written.add(append(log, random));
            }
            log.publish();
            for (int i = 0; i < 150; i++) {
                // Mostly the next one, as a scan does, now and then any other.
                sequence = random.nextInt(10) > 0 ? sequence + 1 : random.nextInt(written.size());
                sequence %= written.size();
                StoredMessage message = heads.read(log, sequence);
                Written expected = written.get((int) sequence);
                String what = "seed " + seed + ", message " + sequence;
                check(what, message, expected);
                assertThat(selector.matches(message))
                        .as(what)
                        .isEqualTo(selector.matches(name -> value(expected, name)));
            }
        }
    }

    private static void check(String what, StoredMessage message, Written expected)
            throws Exception {
        for (String name : NAMES) {
            assertThat(message.value(name)).as(what).isEqualTo(value(expected, name));
        }
        if (expected.envelope() != null) {
            assertThat(message.envelope()).as(what).isEqualTo(expected.envelope());
        } else {
            assertThat(message.value(StoredMessage.CLASSIC_ATTRIBUTE))
                    .as(what)
                    .isEqualTo(expected.attribute());
        }
    }

    private static @Nullable Object value(Written message, String name) {
        Envelope envelope = message.envelope();
        return envelope == null ? null : envelope.properties().get(name);
    }

    private static Written append(MessageLog log, Random random) {
        byte[] attribute = new byte[0];
        int flag = 0;
        Written written = new Written(null, null);
        int form = random.nextInt(10);
        if (form > 1) {
            Envelope envelope = envelope(random);
            attribute = envelope.encode();
            flag = MessageFormat.FLAG_ATTRIBUTE | MessageFormat.FLAG_ENVELOPE;
            written = new Written(envelope, null);
        } else if (form == 1) {
            String text = "a".repeat(random.nextInt(50));
            attribute = text.getBytes(StandardCharsets.UTF_8);
            flag = MessageFormat.FLAG_ATTRIBUTE;
            written = new Written(null, text);
        }
        int head = flag == 0 ? 0 : Integer.BYTES + attribute.length;
        int payload = random.nextInt(100) == 0 ? random.nextInt(600_000) : random.nextInt(2_000);
        ByteBuffer message = ByteBuffer.allocate(MessageFormat.HEADER_LENGTH + head + payload);
        MessageFormat.putHeader(message, head + payload, 0, 1, flag);
        if (flag != 0) {
            message.putInt(attribute.length).put(attribute);
        }
        log.append(message.clear(), 0, 0, random.nextInt(10), random.nextInt(4));
        return written;
    }

    private static Envelope envelope(Random random) {
        Map<String, Object> properties = new LinkedHashMap<>();
        if (random.nextInt(200) == 0) {
            properties.put("filler", "x".repeat(300_000));
        }
        for (String name : NAMES) {
            switch (random.nextInt(4)) {
                case 0 -> properties.put(name, random.nextInt(100));
                case 1 -> properties.put(name, random.nextBoolean() ? "red" : "gr\u00fcn");
                case 2 -> properties.put(name, random.nextDouble() * 100);
                default -> properties.remove(name);
            }
        }
        return new Envelope(
                Envelope.BodyType.BYTES,
                2,
                4,
                random.nextLong(),
                0,
                0,
                "ID:" + random.nextInt(),
                null,
                null,
                null,
                null,
                null,
                null,
                properties);
    }
}
