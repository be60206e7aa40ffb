package org.metaq.jms.session;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import org.jspecify.annotations.Nullable;
import org.metaq.client.ClientException;
import org.metaq.protocol.ErrorCode;

/**
 * The one place where what went wrong below becomes what JMS says, in the checked and the unchecked
 * form.
 */
public final class JmsErrors {
    private JmsErrors() {}

    /** Something that throws the checked form. */
    @FunctionalInterface
    interface Call<T> {
        T call() throws JMSException;
    }

    /** As {@link Call}, for what may be null. */
    @FunctionalInterface
    interface NullableCall<T> {
        @Nullable T call() throws JMSException;
    }

    /** As {@link Call}, without a result. */
    @FunctionalInterface
    interface Action {
        void run() throws JMSException;
    }

    /**
     * The checked form of a failure of the client.
     *
     * @param doing what was tried, for the message: "send to queue://orders"
     */
    public static JMSException of(String doing, ClientException failure) {
        ErrorCode code = failure.code();
        String text = doing + ": " + failure.getMessage();
        JMSException mapped = named(code.jmsException(), text, code.name());
        return withCause(mapped, failure);
    }

    /** Gives a checked form its cause. */
    static <E extends JMSException> E withCause(E exception, Throwable cause) {
        exception.initCause(cause);
        if (cause instanceof Exception linked) {
            exception.setLinkedException(linked);
        }
        return exception;
    }

    private static JMSException named(String simpleName, String text, String code) {
        return switch (simpleName) {
            case "IllegalStateException" -> new IllegalStateException(text, code);
            case "InvalidClientIDException" -> new InvalidClientIDException(text, code);
            case "InvalidDestinationException" -> new InvalidDestinationException(text, code);
            case "InvalidSelectorException" -> new InvalidSelectorException(text, code);
            case "JMSSecurityException" -> new JMSSecurityException(text, code);
            case "ResourceAllocationException" -> new ResourceAllocationException(text, code);
            case "TransactionRolledBackException" -> new TransactionRolledBackException(text, code);
            default -> new JMSException(text, code);
        };
    }

    /** Whether it says that a connection could not be made, or is lost. */
    public static boolean isConnectionLost(JMSException failure) {
        return failure.getCause() instanceof ClientException cause && cause.isConnectionLost();
    }

    /** The unchecked twin of a checked form. */
    public static JMSRuntimeException unchecked(JMSException e) {
        String text = e.getMessage();
        String code = e.getErrorCode();
        if (e instanceof IllegalStateException) {
            return new IllegalStateRuntimeException(text, code, e);
        } else if (e instanceof InvalidClientIDException) {
            return new InvalidClientIDRuntimeException(text, code, e);
        } else if (e instanceof InvalidDestinationException) {
            return new InvalidDestinationRuntimeException(text, code, e);
        } else if (e instanceof InvalidSelectorException) {
            return new InvalidSelectorRuntimeException(text, code, e);
        } else if (e instanceof JMSSecurityException) {
            return new JMSSecurityRuntimeException(text, code, e);
        } else if (e instanceof MessageFormatException) {
            return new MessageFormatRuntimeException(text, code, e);
        } else if (e instanceof MessageNotWriteableException) {
            return new MessageNotWriteableRuntimeException(text, code, e);
        } else if (e instanceof ResourceAllocationException) {
            return new ResourceAllocationRuntimeException(text, code, e);
        } else if (e instanceof TransactionInProgressException) {
            return new TransactionInProgressRuntimeException(text, code, e);
        } else if (e instanceof TransactionRolledBackException) {
            return new TransactionRolledBackRuntimeException(text, code, e);
        }
        return new JMSRuntimeException(text, code, e);
    }

    /** Calls, and throws the unchecked form of what it throws. */
    static <T> T unchecked(Call<T> call) {
        try {
            return call.call();
        } catch (JMSException e) {
            throw unchecked(e);
        }
    }

    /** As {@link #unchecked(Call)}, for what may be null. */
    static <T> @Nullable T uncheckedOrNull(NullableCall<T> call) {
        try {
            return call.call();
        } catch (JMSException e) {
            throw unchecked(e);
        }
    }

    /** As {@link #unchecked(Call)}, without a result. */
    static void uncheckedRun(Action action) {
        try {
            action.run();
        } catch (JMSException e) {
            throw unchecked(e);
        }
    }
}
