package org.metaq.jms.message;

import jakarta.jms.JMSException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which names a property may have (Jakarta Messaging 3.1 §3.5.1 and §3.5.9). */
public final class PropertyNames {
    /** Names the group of a message; an application may set it. A string. */
    public static final String GROUP_ID = "JMSXGroupID";

    /** Place of a message in its group; an application may set it. An int. */
    public static final String GROUP_SEQUENCE = "JMSXGroupSeq";

    /** How often the message was delivered, this time included; set on receipt. An int. */
    public static final String DELIVERY_COUNT = "JMSXDeliveryCount";

    /** The property of a classic message that holds its attribute. A string. */
    public static final String CLASSIC_ATTRIBUTE = "metaq_attribute";

    private static final String STANDARD_PREFIX = "JMSX";

    // §3.8.1.1: identifiers cannot be these, in any case.
    private static final Set<String> RESERVED =
            Set.of(
                    "NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS",
                    "ESCAPE");

    private PropertyNames() {}

    /**
     * Checks that a name obeys the rules for a selector identifier.
     *
     * @return the name
     * @throws IllegalArgumentException if it is null, empty, no identifier or a reserved word
     */
    public static String checkIdentifier(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a property name must not be null or empty");
        }
        if (!isIdentifier(name)) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not a property name: it must be a Java identifier");
        }
        if (RESERVED.contains(name.toUpperCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not a property name: it is a word of the selector language");
        }
        return name;
    }

    /**
     * Checks that an application may set this property.
     *
     * @return the name
     * @throws IllegalArgumentException as {@link #checkIdentifier}
     * @throws JMSException if it is a standard property that only the provider sets
     */
    public static String checkSettable(@Nullable String name) throws JMSException {
        String checked = checkIdentifier(name);
        if (isSetByProvider(checked)) {
            throw new JMSException(
                    "'" + checked + "' cannot be set: the provider alone sets this property");
        }
        return checked;
    }

    /** True for standard properties other than the two that applications set. */
    static boolean isSetByProvider(String name) {
        return name.startsWith(STANDARD_PREFIX)
                && !name.equals(GROUP_ID)
                && !name.equals(GROUP_SEQUENCE);
    }

    private static boolean isIdentifier(String name) {
        int first = name.codePointAt(0);
        return Character.isJavaIdentifierStart(first)
                && name.codePoints().allMatch(Character::isJavaIdentifierPart);
    }
}
