package org.metaq.server.config;

import java.util.Locale;
import java.util.Map;
import org.metaq.broker.DeletePolicy;
import org.metaq.protocol.RedeliveryPolicy;

/**
 * One key of {@code server.ini}: what may stand there, and why one would change it.
 *
 * @param name as in the file
 * @param type type and unit
 * @param defaultValue as it would be written in the file
 * @param min smallest value of a number
 * @param max largest value of a number
 * @param why what it does, for the documentation
 */
record KeySpec(String name, KeyType type, String defaultValue, long min, long max, String why) {
    static KeySpec number(
            String name, KeyType type, String defaultValue, long min, long max, String why) {
        return new KeySpec(name, type, defaultValue, min, max, why);
    }

    static KeySpec flag(String name, boolean defaultValue, String why) {
        return new KeySpec(name, KeyType.FLAG, Boolean.toString(defaultValue), 0, 0, why);
    }

    static KeySpec text(String name, KeyType type, String defaultValue, String why) {
        return new KeySpec(name, type, defaultValue, 0, 0, why);
    }

    /**
     * Reads a number.
     *
     * @throws ConfigException if it is none or out of range
     */
    long number(String text) {
        long value;
        try {
            value = IntegerExpression.evaluate(text);
        } catch (ArithmeticException | NumberFormatException e) {
            throw new ConfigException(
                    name + " = '" + text + "' is not a number: " + e.getMessage(), e);
        }
        if (value < min || value > max) {
            throw new ConfigException(
                    "%s = %s is out of range; it must be %d..%d (%s)"
                            .formatted(name, text, min, max, type.unit()));
        }
        return value;
    }

    /**
     * Reads a flag.
     *
     * @throws ConfigException if it is none
     */
    boolean flag(String text) {
        return switch (text.trim().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new ConfigException(name + " = '" + text + "' must be true or false");
        };
    }

    /**
     * Reads a policy for old segments.
     *
     * @throws ConfigException if it is none
     */
    DeletePolicy deletePolicy(String text) {
        try {
            return DeletePolicy.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Reads values of a redelivery policy.
     *
     * @param values by key; others than those of a policy are ignored
     * @throws ConfigException if one is not valid
     */
    static RedeliveryPolicy redelivery(Map<String, String> values) {
        try {
            return RedeliveryPolicy.DEFAULT.with(values);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Checks a value without keeping it.
     *
     * @throws ConfigException if it is not valid
     */
    void check(String text) {
        switch (type) {
            case FLAG -> flag(text);
            case DELETE_POLICY -> deletePolicy(text);
            case CRON -> CronSchedule.check(name, text);
            case REDELIVERY -> redelivery(Map.of(name, text));
            case TEXT, PATH -> {
                if (text.isBlank() && !defaultValue.isEmpty()) {
                    throw new ConfigException(name + " must not be empty");
                }
            }
            default -> number(text);
        }
    }
}
