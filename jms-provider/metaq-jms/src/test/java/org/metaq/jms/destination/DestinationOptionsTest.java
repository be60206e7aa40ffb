package org.metaq.jms.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metaq.common.DestinationKind;
import org.metaq.jms.jndi.MetaQObjectFactory;
import org.metaq.protocol.StartPosition;
import org.metaq.protocol.SubscribeOptions;

class DestinationOptionsTest {
    private static SubscribeOptions subscribe(String text) {
        return new MetaQTopic(text).options().subscribeOptions(Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        "earliest, earliest",
        "latest, latest",
        "1970-01-01T00:00:01Z, time:1000",
        "1970-01-01T00:00:01.5Z, time:1500",
        "1970-01-01T01:00:01+01:00, time:1000",
        "1970-01-01T01:00:01%2B01:00, time:1000",
        "2026-11-01T00:00:00Z, time:1793491200000",
        "1793491200000, time:1793491200000",
        "time:5, time:5",
        "offset:70, offset:0:70",
        "offset:3:70, offset:3:70"
    })
    void shouldReadStartPositions(String value, String position) {
        SubscribeOptions from = subscribe("t?from=" + value);
        assertThat(from.start()).hasToString(position);
        assertThat(from.resets()).isTrue();
        SubscribeOptions startFrom = subscribe("t?startFrom=" + value);
        assertThat(startFrom.start()).hasToString(position);
        assertThat(startFrom.resets()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "first",
                "Earliest",
                "2026-11-01",
                "2026-11-01T00:00:00",
                "2026-13-01T00:00:00Z",
                "1969-12-31T23:59:59Z",
                "-1",
                "offset:",
                "offset:-1",
                "offset:1:2:3",
                "99999999999999999999"
            })
    void shouldSayWhichStartPositionsThereAre(String value) {
        assertThatThrownBy(() -> new MetaQTopic("t?from=" + value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'from' cannot be '" + value + "'")
                .hasMessageContaining("earliest, latest, a time such as 2026-11-01T00:00:00Z");
    }

    @Test
    void shouldTakeOneStartOnly() {
        assertThatThrownBy(() -> new MetaQTopic("t?from=latest&startFrom=earliest"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("only one of [from, startFrom]");
    }

    @Test
    void shouldTakeDefaultsWhereTheNameDoesNotSayItItself() {
        MetaQDestination topic =
                new MetaQTopic("a%3F?from=latest&prefetch=2")
                        .withDefaults(
                                Map.of(
                                        "startFrom", "earliest",
                                        "prefetch", "7",
                                        "maxDeliveries", "3"));
        assertThat(topic).isEqualTo(new MetaQTopic("a%3F"));
        assertThat(topic.options())
                .isEqualTo(new MetaQTopic("t?maxDeliveries=3&from=latest&prefetch=2").options());
        assertThatThrownBy(() -> new MetaQQueue("q").withDefaults(Map.of("startFrom", "earliest")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'startFrom' is for topics");
        MetaQDestination temporary = MetaQDestination.of(DestinationKind.TEMPORARY_QUEUE, "t");
        assertThat(temporary.withDefaults(Map.of("prefetch", "7"))).isSameAs(temporary);
    }

    @Test
    void shouldReplaceTheConnectionsRedeliveryPolicyValueByValue() {
        MetaQQueue queue =
                new MetaQQueue("orders?maxDeliveries=3&deadLetter=bad%26orders&strictOrder=true");
        SubscribeOptions options =
                queue.options()
                        .subscribeOptions(Map.of("maxDeliveries", "9", "redeliveryDelay", "100"));
        assertThat(options.start()).isNull();
        assertThat(options.redelivery())
                .isEqualTo(
                        Map.of(
                                "maxDeliveries", "3",
                                "redeliveryDelay", "100",
                                "deadLetter", "bad&orders",
                                "strictOrder", "true"));
        assertThat(queue.options().prefetch(7)).isEqualTo(7);
        assertThat(new MetaQQueue("orders?prefetch=1").options().prefetch(7)).isEqualTo(1);
        assertThat(MetaQDestination.of(queue.address()).options())
                .as("a name on the wire has none")
                .isEqualTo(DestinationOptions.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "maxDeliveries=-1, 0 to 2147483647",
        "redeliveryDelay=1h, 0 to 31536000000",
        "redeliveryBackOff=0.5, 1 to 1000",
        "maxRedeliveryDelay=x, 0 to 31536000000",
        "strictOrder=yes, true or false",
        "prefetch=0, 1 to 10000",
        "prefetch=10001, 1 to 10000"
    })
    void shouldNameOptionValueAndWhatIsAllowed(String option, String allowed) {
        String[] parts = option.split("=", -1);
        assertThatThrownBy(() -> new MetaQQueue("q?" + option))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + parts[0] + "' cannot be '" + parts[1] + "'")
                .hasMessageContaining(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "q?maxDelivery=3, did you mean 'maxDeliveries'",
        "q?, no option behind",
        "what? next, has no value",
        "q?prefetch, has no value",
        "q?prefetch=1&prefetch=2, given twice",
        "q?from=earliest, for topics",
        "q?deadLetter=%4, two hex digits"
    })
    void shouldRefuseWhatIsNoOption(String text, String why) {
        assertThatThrownBy(() -> new MetaQQueue(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageContaining(
                        "(in '" + text + "'; a question mark that belongs to the name");
    }

    @ParameterizedTest
    @CsvSource({
        "a%3Fb, a?b, a%3Fb",
        "a%3fb, a?b, a%3Fb",
        "a%253Fb, a%3Fb, a%253Fb",
        "a%25, a%, a%",
        "100%, 100%, 100%",
        "a%20b, a%20b, a%20b",
        "%2525, %25, %2525",
        "%%3F, %?, %%3F"
    })
    void shouldTakeNamesWithQuestionMarksAndPercentSigns(
            String text, String name, String queueName) {
        MetaQQueue queue = new MetaQQueue(text);
        assertThat(queue.name()).isEqualTo(name);
        assertThat(queue.getQueueName()).isEqualTo(queueName);
        assertThat(new MetaQQueue(queue.getQueueName())).isEqualTo(queue);
        assertThat(new MetaQTopic(text).getTopicName()).isEqualTo(queueName);
        assertThat(new MetaQQueue(text + "?prefetch=5").getQueueName()).isEqualTo(queueName);
    }

    @Test
    void shouldKeepOptionsInReferencesAndSerialized() throws Exception {
        MetaQTopic topic = new MetaQTopic("a%3F?from=offset:1:2&deadLetter=50%25%26");
        Object found =
                new MetaQObjectFactory().getObjectInstance(topic.getReference(), null, null, null);
        assertThat(found).isEqualTo(topic);
        assertThat(((MetaQTopic) found).options()).isEqualTo(topic.options());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(topic);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            MetaQTopic read = (MetaQTopic) in.readObject();
            assertThat(read.options()).isEqualTo(topic.options());
            assertThat(read.options().subscribeOptions(Map.of()).start())
                    .isEqualTo(StartPosition.offset(1, 2));
        }
        assertThat(topic)
                .as("options are no part of the identity")
                .isEqualTo(new MetaQTopic("a%3F"));
    }
}
