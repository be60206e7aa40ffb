package org.metaq.jms.session;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import org.metaq.jms.session.JmsErrors.Call;

/** Opens contexts: a connection and its first session in one. Stateless. */
public final class Contexts {
    private Contexts() {}

    /** Opens a connection. */
    @FunctionalInterface
    public interface Opener<C extends MetaQConnection> {
        /**
         * Opens it.
         *
         * @throws JMSException if that fails
         */
        C open() throws JMSException;
    }

    /**
     * A context on a connection of its own.
     *
     * @param sessionMode a constant of {@link JMSContext}
     * @throws jakarta.jms.JMSRuntimeException if there is no such mode or no connection
     */
    public static JMSContext open(Opener<MetaQConnection> opener, int sessionMode) {
        return JmsErrors.unchecked(
                () -> {
                    AcknowledgeMode mode = AcknowledgeMode.ofCode(sessionMode, true);
                    MetaQConnection connection = opener.open();
                    return closingOnFailure(
                            connection,
                            () ->
                                    new MetaQContext(
                                            new SharedConnection(connection),
                                            connection.newSession(mode, Domain.UNIFIED)));
                });
    }

    /**
     * A context for distributed transactions on a connection of its own.
     *
     * @throws jakarta.jms.JMSRuntimeException if there is no connection
     */
    public static XAJMSContext openXa(Opener<MetaQXAConnection> opener) {
        return JmsErrors.unchecked(
                () -> {
                    MetaQXAConnection connection = opener.open();
                    return closingOnFailure(
                            connection,
                            () ->
                                    new MetaQXAContext(
                                            new SharedConnection(connection),
                                            connection.newXaSession(Domain.UNIFIED)));
                });
    }

    /**
     * A context on a session that others own: it is not to be closed, and does not start the
     * connection by itself.
     *
     * @param session a session of the connection
     */
    public static JMSContext over(MetaQXAConnection connection, XASession session) {
        JMSContext context =
                new MetaQContext(new SharedConnection(connection), (MetaQSession) session);
        context.setAutoStart(false);
        return context;
    }

    private static <T> T closingOnFailure(MetaQConnection connection, Call<T> call)
            throws JMSException {
        try {
            return call.call();
        } catch (JMSException e) {
            connection.close();
            throw e;
        }
    }
}
