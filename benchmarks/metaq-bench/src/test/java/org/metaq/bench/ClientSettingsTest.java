package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClientSettingsTest {
    @Test
    void shouldReadTheArgumentsThatItWrote() {
        ClientSettings settings =
                new ClientSettings("a.Factory", "", 5, 2.5, 1, 1000, "/a=b", List.of("W1", "W4"));
        assertThat(ClientSettings.parse(settings.arguments())).isEqualTo(settings);
        assertThat(settings.times()).isEqualTo(new Context.Times(2_500_000_000L, 1_000_000_000L));
    }

    @Test
    void shouldSayWhatIsMissingOrNoArgument() {
        assertThatThrownBy(() -> ClientSettings.parse(List.of("xa-factory=x")))
                .hasMessage("factory is missing");
        assertThatThrownBy(() -> ClientSettings.parse(List.of("quick")))
                .hasMessageContaining("quick");
    }
}
