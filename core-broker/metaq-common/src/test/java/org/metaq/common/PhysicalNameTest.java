package org.metaq.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PhysicalNameTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders",
                "a b",
                "ü/€😀",
                "queue@orders",
                "..",
                "x-0",
                "100%",
                "a\r\nb",
                "%41"
            })
    void shouldReadBackEveryNameOfEveryKind(String name) {
        for (DestinationKind kind : DestinationKind.values()) {
            String text = new PhysicalName(kind, name).text();
            assertThat(text).matches("[A-Za-z0-9._@%-]+");
            assertThat(PhysicalName.parse(text)).isEqualTo(new PhysicalName(kind, name));
        }
    }

    @Test
    void shouldLetClassicClientsReachPlainNames() {
        assertThat(new PhysicalName(DestinationKind.TOPIC, "orders").text()).isEqualTo("orders");
        assertThat(new PhysicalName(DestinationKind.QUEUE, "orders").text())
                .isEqualTo("queue@orders");
    }

    @Test
    void shouldRefuseEmptyAndTooLongNamesAndSayTheLimit() {
        assertThatThrownBy(() -> new PhysicalName(DestinationKind.QUEUE, ""))
                .hasMessageContaining("must not be empty");
        assertThatThrownBy(() -> new PhysicalName(DestinationKind.QUEUE, "é".repeat(50)))
                .hasMessageContaining("306 bytes")
                .hasMessageContaining("240");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a@b", "%4", "%zz", "%", "é", ""})
    void shouldRefuseWhatIsNotAPhysicalName(String text) {
        assertThatThrownBy(() -> PhysicalName.parse(text))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
