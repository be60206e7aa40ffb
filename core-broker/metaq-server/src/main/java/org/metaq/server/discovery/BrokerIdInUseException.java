package org.metaq.server.discovery;

/** Another live broker is registered under this broker's id. */
public final class BrokerIdInUseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokerIdInUseException(String message) {
        super(message);
    }
}
