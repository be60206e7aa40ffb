package org.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProducerSequenceTest {
    @Test
    void shouldCountFromOneUnderAnIdOfItsOwn() {
        ProducerSequence one = new ProducerSequence();
        ProducerSequence two = new ProducerSequence();
        assertThat(one.producerId()).isNotZero().isNotEqualTo(two.producerId());
        assertThat(one.next()).isEqualTo(1);
        assertThat(one.next()).isEqualTo(2);
        assertThat(two.next()).isEqualTo(1);
    }
}
