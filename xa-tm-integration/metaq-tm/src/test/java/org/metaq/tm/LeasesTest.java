package org.metaq.tm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.time.Duration;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Test;
import org.metaq.tm.CurrentTransaction.State;
import org.metaq.tm.LinkKey.Api;

/** Cases B42 and B44. */
class LeasesTest {
    private static final LinkKey KEY = new LinkKey(Api.CLASSIC, null, null);
    private static final int ROUNDS = 1000;

    private final FakeProvider provider = new FakeProvider();
    private final LinkPool pool =
            new LinkPool(provider.factory(), 1, Duration.ZERO, Duration.ofMinutes(1));
    private final Leases leases = new Leases(pool, FakeTransaction::new, false);

    private State state = State.ACTIVE;
    private JMSException enlistFailure;
    private JMSException completionFailure;

    private final class FakeTransaction implements CurrentTransaction {
        @Override
        public State state() {
            return state;
        }

        @Override
        public Object key() {
            return "tx";
        }

        @Override
        public void enlist(XAResource resource) throws JMSException {
            if (enlistFailure != null) {
                throw enlistFailure;
            }
        }

        @Override
        public void afterCompletion(Runnable action) throws JMSException {
            if (completionFailure != null) {
                throw completionFailure;
            }
        }
    }

    @Test
    void shouldTakeNothingOutOfThePoolForWhatIsMarkedForRollback() {
        state = State.ROLLBACK_ONLY;
        for (int i = 0; i < ROUNDS; i++) {
            assertThatThrownBy(() -> leases.ofTransaction(KEY))
                    .isInstanceOf(TransactionRolledBackException.class);
        }
        state = State.OVER;
        assertThatThrownBy(() -> leases.ofTransaction(KEY))
                .isInstanceOf(IllegalStateException.class);
        assertThat(provider.opened).isEmpty();
    }

    @Test
    void shouldGiveBackAndHandOutNothingThatIsNotEnlisted() throws JMSException {
        enlistFailure = new JMSException("not enlisted");
        for (int i = 0; i < ROUNDS; i++) {
            assertThatThrownBy(() -> leases.ofTransaction(KEY)).isSameAs(enlistFailure);
        }
        enlistFailure = null;
        completionFailure = new JMSException("no end");
        for (int i = 0; i < ROUNDS; i++) {
            assertThatThrownBy(() -> leases.ofTransaction(KEY)).isSameAs(completionFailure);
        }
        assertThat(pool.count()).isZero();
        assertThat(provider.opened).allMatch(connection -> connection.isClosed);
        completionFailure = null;
        assertThat(leases.ofTransaction(KEY)).isSameAs(leases.ofTransaction(KEY));
    }
}
