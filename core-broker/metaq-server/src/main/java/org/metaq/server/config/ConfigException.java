package org.metaq.server.config;

/** A configuration that the broker does not start with; the message says which key and why. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With key, value and what to do. */
    public ConfigException(String message) {
        super(message);
    }

    /** With the cause as well. */
    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
