package org.metaq.jms.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProviderVersionTest {
    @Test
    void shouldReadItsNumbers() {
        assertThat(ProviderVersion.parse("12.34.5-SNAPSHOT"))
                .isEqualTo(new ProviderVersion("12.34.5-SNAPSHOT", 12, 34));
        assertThat(ProviderVersion.parse("not filled in").major()).isZero();
    }

    @Test
    void shouldBeTheVersionOfTheBuild() {
        assertThat(ProviderVersion.load().text()).matches("\\d+\\.\\d+.*");
    }
}
