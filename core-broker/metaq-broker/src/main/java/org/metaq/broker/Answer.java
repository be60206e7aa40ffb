package org.metaq.broker;

import java.util.function.Consumer;
import org.metaq.broker.state.Applied;
import org.metaq.protocol.ErrorCode;

/** Where the outcome of a command goes: its connection, in the form that the client speaks. */
interface Answer {
    /** It was done. */
    void ok(String text);

    /** It was not done. */
    void refused(ErrorCode code, String text);

    /** It was not done. */
    default void refused(RefusedException e) {
        refused(e.code(), e.text());
    }

    /** A completion that answers {@code okText}, or the error. */
    default Consumer<Applied> whenApplied(String okText) {
        return applied -> {
            if (applied instanceof Applied.Refused refused) {
                refused(refused.code(), refused.text());
            } else {
                ok(okText);
            }
        };
    }

    /** To a client that speaks our own commands. */
    static Answer to(BrokerConnection connection, int opaque) {
        return new Answer() {
            @Override
            public void ok(String text) {
                BrokerContext.ok(connection, opaque, text);
            }

            @Override
            public void refused(ErrorCode code, String text) {
                BrokerContext.error(connection, opaque, code, text);
            }
        };
    }
}
