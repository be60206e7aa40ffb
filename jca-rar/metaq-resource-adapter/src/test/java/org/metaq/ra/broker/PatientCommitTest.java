package org.metaq.ra.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;

class PatientCommitTest {
    private static final Xid XID =
            (Xid)
                    Proxy.newProxyInstance(
                            Xid.class.getClassLoader(),
                            new Class<?>[] {Xid.class},
                            (proxy, method, arguments) -> {
                                throw new AssertionError("only the resource looks into it");
                            });

    private final PatientCommit patient = new PatientCommit();
    private final PatientCommit impatient = new PatientCommit(Duration.ZERO);

    /** Commits fail with these codes, one after the other; then they are done. */
    private static XAResource failing(Queue<Integer> codes) {
        return (XAResource)
                Proxy.newProxyInstance(
                        XAResource.class.getClassLoader(),
                        new Class<?>[] {XAResource.class},
                        (proxy, method, arguments) -> {
                            assertThat(method.getName()).isEqualTo("commit");
                            assertThat(arguments[0]).isSameAs(XID);
                            Integer code = codes.poll();
                            if (code != null) {
                                throw new XAException(code);
                            }
                            return null;
                        });
    }

    @Test
    void shouldAskAgainUntilTheBrokerIsBack() throws XAException {
        Queue<Integer> codes =
                new ArrayDeque<>(List.of(XAException.XAER_RMFAIL, XAException.XAER_RMFAIL));
        patient.commit(failing(codes), XID, false);
        assertThat(codes).isEmpty();
    }

    @Test
    void shouldTellAtOnceWhatTheBrokerSays() {
        Queue<Integer> codes =
                new ArrayDeque<>(List.of(XAException.XAER_RMFAIL, XAException.XA_RBROLLBACK, 1));
        assertThatThrownBy(() -> patient.commit(failing(codes), XID, true))
                .hasFieldOrPropertyWithValue("errorCode", XAException.XA_RBROLLBACK);
        assertThat(codes).hasSize(1);
    }

    @Test
    void shouldLeaveAPreparedBranchToTheTransactionManagerWhenTheBrokerStaysAway() {
        assertThatThrownBy(() -> impatient.commit(failing(away()), XID, false))
                .hasFieldOrPropertyWithValue("errorCode", XAException.XA_RETRY);
        assertThatThrownBy(() -> impatient.commit(failing(away()), XID, true))
                .hasFieldOrPropertyWithValue("errorCode", XAException.XAER_RMFAIL);
    }

    @Test
    void shouldEndWhenTheThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> patient.commit(failing(away()), XID, false))
                .hasFieldOrPropertyWithValue("errorCode", XAException.XA_RETRY);
        assertThat(Thread.interrupted()).isTrue();
    }

    private static Queue<Integer> away() {
        return new ArrayDeque<>(List.of(XAException.XAER_RMFAIL));
    }
}
