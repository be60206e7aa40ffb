package org.metaq.ra.outbound;

import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.TopicSession;
import jakarta.jms.TransactionInProgressException;
import java.lang.reflect.Method;
import java.util.Set;

/** What applications in a server must not call. */
final class Restrictions {
    /** Jakarta EE Platform §6.7: what would take the work from the server's threads. */
    private static final Set<String> NOT_IN_A_SERVER =
            Set.of(
                    "createContext",
                    "getMessageListener",
                    "run",
                    "setAsync",
                    "setClientID",
                    "setExceptionListener",
                    "setMessageListener",
                    "stop");

    /** Jakarta Messaging 3.1, QueueSession. */
    private static final Set<String> NOT_FOR_QUEUES =
            Set.of(
                    "createDurableConsumer",
                    "createDurableSubscriber",
                    "createSharedConsumer",
                    "createSharedDurableConsumer",
                    "createTemporaryTopic",
                    "createTopic",
                    "unsubscribe");

    /** Jakarta Messaging 3.1, TopicSession. */
    private static final Set<String> NOT_FOR_TOPICS =
            Set.of("createBrowser", "createQueue", "createTemporaryQueue");

    private Restrictions() {}

    /**
     * Checks a call.
     *
     * @param type what the application calls it on
     * @param isInBranch whether the work belongs to a transaction
     * @throws JMSException if it is not allowed
     */
    static void check(Class<?> type, Method method, Object[] arguments, boolean isInBranch)
            throws JMSException {
        String name = method.getName();
        if (NOT_IN_A_SERVER.contains(name)) {
            throw refused(name);
        }
        for (Object argument : arguments) {
            if (argument instanceof CompletionListener) {
                throw refused(name + " with a CompletionListener");
            }
        }
        if ((type == QueueSession.class && NOT_FOR_QUEUES.contains(name))
                || (type == TopicSession.class && NOT_FOR_TOPICS.contains(name))) {
            throw new IllegalStateException(
                    name + " is not for a " + type.getSimpleName() + ": use a Session");
        }
        switch (name) {
            case "commit", "rollback" -> throw notYours(name, isInBranch);
            case "recover" -> requireNoBranch(name, isInBranch);
            default -> {}
        }
    }

    private static JMSException notYours(String name, boolean isInBranch) {
        return isInBranch
                ? new TransactionInProgressException(
                        name + ": the server commits and rolls back this work")
                : new IllegalStateException(
                        name
                                + ": there is no transaction; in a server, transactions are those"
                                + " of UserTransaction and of the container");
    }

    private static void requireNoBranch(String name, boolean isInBranch) throws JMSException {
        if (isInBranch) {
            throw new IllegalStateException(name + " is not for work in a transaction");
        }
    }

    /** For what is not allowed in a server at all. */
    static IllegalStateException refused(String what) {
        return new IllegalStateException(
                what
                        + " is not for applications in a server, which has the threads and the"
                        + " connections (Jakarta EE Platform, 6.7)");
    }
}
