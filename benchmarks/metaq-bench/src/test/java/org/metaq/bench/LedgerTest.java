package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Ledger first = new Ledger(2);
    private final Ledger second = new Ledger(2);

    private Ledger.Balance balance(int... sent) {
        return Ledger.balance(sent, List.of(first, second));
    }

    @Test
    void shouldBalanceWhatConsumersShared() {
        first.received(0, 0);
        second.received(0, 1);
        second.received(1, 0);
        assertThat(balance(2, 1)).isEqualTo(new Ledger.Balance(3, 0, 0));
    }

    @Test
    void shouldCountWhatNobodyReceivedAsLost() {
        first.received(0, 2);
        assertThat(balance(3, 1)).isEqualTo(new Ledger.Balance(4, 3, 0));
    }

    @Test
    void shouldCountASecondReceiptWhoeverHasIt() {
        first.received(0, 0);
        first.received(0, 0);
        second.received(0, 0);
        assertThat(balance(1, 0)).isEqualTo(new Ledger.Balance(1, 0, 2));
    }
}
