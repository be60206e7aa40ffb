package org.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.metaq.common.DestinationKind;

class EnvelopeViewTest {
    private static final String[] NAMES = {
        "a", "b", "ab", "größe", "größ", "漢", "JMSXGroupID", "JMS_METAQ_x", "name", "Name", ""
    };

    private static Envelope randomEnvelope(Random random) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (int i = random.nextInt(NAMES.length + 1); i > 0; i--) {
            properties.put(NAMES[random.nextInt(NAMES.length)], randomValue(random));
        }
        return new Envelope(
                Envelope.BodyType.values()[random.nextInt(7)],
                1 + random.nextInt(2),
                random.nextInt(10),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                maybe(random, "ID:1"),
                maybe(random, "corr-é"),
                random.nextBoolean() ? new byte[] {0, -1, 9} : null,
                maybe(random, "type"),
                random.nextBoolean()
                        ? new Envelope.Address(DestinationKind.QUEUE, "a queue")
                        : null,
                random.nextBoolean() ? new Envelope.Address(DestinationKind.TOPIC, "") : null,
                maybe(random, "origin"),
                properties);
    }

    private static String maybe(Random random, String text) {
        return random.nextBoolean() ? text : null;
    }

    private static Object randomValue(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextBoolean();
            case 1 -> (byte) random.nextInt();
            case 2 -> (short) random.nextInt();
            case 3 -> random.nextInt();
            case 4 -> random.nextLong();
            case 5 -> random.nextFloat();
            case 6 -> random.nextDouble();
            default -> "text-é-" + random.nextInt();
        };
    }

    private static Map<String, Object> expected(Envelope envelope) {
        Map<String, Object> values = new HashMap<>(envelope.properties());
        values.put(
                "JMSDeliveryMode", envelope.deliveryMode() == 2 ? "PERSISTENT" : "NON_PERSISTENT");
        values.put("JMSPriority", envelope.priority());
        values.put("JMSTimestamp", envelope.timestampMs());
        values.put("JMSMessageID", envelope.messageId());
        byte[] asBytes = envelope.correlationIdBytes();
        values.put(
                "JMSCorrelationID",
                asBytes == null
                        ? envelope.correlationId()
                        : new String(asBytes, StandardCharsets.UTF_8));
        values.put("JMSType", envelope.type());
        return values;
    }

    /** Those that are there, those of other messages, those that no message has. */
    private static String randomIdentifier(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> NAMES[random.nextInt(NAMES.length)];
            case 1 ->
                    new String[] {
                                "JMSDeliveryMode",
                                "JMSPriority",
                                "JMSTimestamp",
                                "JMSMessageID",
                                "JMSCorrelationID",
                                "JMSType"
                            }
                            [random.nextInt(6)];
            default -> "absent";
        };
    }

    @Test
    void shouldSeeWhatDecodingSees() throws ProtocolException {
        Random random = new Random(11);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = randomEnvelope(random).encode();
            Map<String, Object> expected = expected(Envelope.decode(ByteBuffer.wrap(bytes)));
            ByteBuffer padded = ByteBuffer.allocate(bytes.length + 5);
            padded.position(2).put(bytes).flip().position(2);
            EnvelopeView view = new EnvelopeView(padded);
            for (int lookUp = 0; lookUp < 20; lookUp++) {
                String identifier = randomIdentifier(random);
                assertThat(view.value(identifier))
                        .as("round %d, look-up %d of %s", round, lookUp, identifier)
                        .isEqualTo(expected.get(identifier));
            }
            assertThat(padded.position()).isEqualTo(2);
            assertThat(padded.remaining()).isEqualTo(bytes.length);
        }
    }

    @Test
    void shouldTakeWhatItCannotReadForAbsent() {
        Random random = new Random(12);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = randomEnvelope(random).encode();
            int cut = random.nextInt(bytes.length + 1);
            for (int i = random.nextInt(4); i > 0 && cut > 0; i--) {
                bytes[random.nextInt(cut)] = (byte) random.nextInt();
            }
            EnvelopeView view = new EnvelopeView(ByteBuffer.wrap(bytes, 0, cut));
            for (int lookUp = 0; lookUp < 20; lookUp++) {
                String identifier = randomIdentifier(random);
                Object value = view.value(identifier);
                assertThat(view.value(identifier)).isEqualTo(value);
            }
        }
    }

    @Test
    void shouldSeeTheSameByScanAndByMapInACutEnvelope() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("first", 1);
        properties.put("second", "cut off");
        byte[] bytes =
                new Envelope(
                                Envelope.BodyType.NONE,
                                1,
                                4,
                                0,
                                0,
                                0,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                properties)
                        .encode();
        EnvelopeView view = new EnvelopeView(ByteBuffer.wrap(bytes, 0, bytes.length - 1));
        for (int lookUp = 0; lookUp < 20; lookUp++) {
            assertThat(view.value("first")).isEqualTo(1);
            assertThat(view.value("second")).isNull();
        }
    }
}
