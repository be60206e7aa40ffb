package org.metaq.jms.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metaq.common.DestinationKind;

class MetaQDestinationTest {
    @ParameterizedTest
    @EnumSource
    void shouldComeBackFromItsAddressItsPhysicalNameAndSerialization(DestinationKind kind)
            throws IOException, ClassNotFoundException {
        MetaQDestination destination = MetaQDestination.of(kind, "a/é");
        assertThat(MetaQDestination.of(destination.address())).isEqualTo(destination);
        assertThat(MetaQDestination.of(destination.physicalName())).isEqualTo(destination);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(destination);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(destination).hasSameClassAs(destination);
        }
    }

    @Test
    void shouldBeEqualByKindAndName() {
        List<MetaQDestination> all = new ArrayList<>();
        for (DestinationKind kind : DestinationKind.values()) {
            all.add(MetaQDestination.of(kind, "a"));
            all.add(MetaQDestination.of(kind, "b"));
        }
        assertThat(all).doesNotHaveDuplicates();
        assertThat(new MetaQTemporaryQueue("a", destination -> {}))
                .isEqualTo(new MetaQTemporaryQueue("a", null))
                .hasSameHashCodeAs(new MetaQTemporaryQueue("a", null))
                .hasToString("temp-queue://a");
        assertThat(new MetaQQueue("orders")).hasToString("queue://orders");
    }

    @Test
    void shouldBeDeletedThroughItsOwnerOnly() throws JMSException {
        List<MetaQDestination> deleted = new ArrayList<>();
        MetaQTemporaryQueue queue = new MetaQTemporaryQueue("q", deleted::add);
        MetaQTemporaryTopic topic = new MetaQTemporaryTopic("t", deleted::add);
        queue.delete();
        topic.delete();
        assertThat(deleted).containsExactly(queue, topic);
        assertThatThrownBy(new MetaQTemporaryTopic("t", null)::delete)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("temp-topic://t");
    }

    @Test
    void shouldRefuseNamesThatHaveNoPhysicalForm() {
        assertThatThrownBy(() -> new MetaQQueue("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new MetaQTopic("x".repeat(300)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MetaQDestination.from(null))
                .isInstanceOf(InvalidDestinationException.class);
    }
}
