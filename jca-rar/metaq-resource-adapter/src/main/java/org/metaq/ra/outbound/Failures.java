package org.metaq.ra.outbound;

import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.CommException;
import jakarta.resource.spi.SecurityException;
import org.metaq.jms.session.JmsErrors;

/** What went wrong, as Jakarta Messaging says it and as Jakarta Connectors does. */
final class Failures {
    private Failures() {}

    /**
     * For the server.
     *
     * @param doing what was tried
     */
    static ResourceException of(String doing, JMSException failure) {
        String text = doing + ": " + failure.getMessage();
        ResourceException thrown = kindOf(failure, text);
        thrown.setErrorCode(failure.getErrorCode());
        return thrown;
    }

    private static ResourceException kindOf(JMSException failure, String text) {
        if (failure instanceof JMSSecurityException) {
            return new SecurityException(text, failure);
        }
        return JmsErrors.isConnectionLost(failure)
                ? new CommException(text, failure)
                : new ResourceException(text, failure);
    }

    /** For the application: what the provider had said if it was that, whatever is around it. */
    static JMSException of(ResourceException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof JMSException said) {
                return said;
            }
        }
        JMSException thrown =
                failure instanceof SecurityException
                        ? new JMSSecurityException(failure.getMessage(), failure.getErrorCode())
                        : new JMSException(failure.getMessage(), failure.getErrorCode());
        thrown.initCause(failure);
        thrown.setLinkedException(failure);
        return thrown;
    }
}
