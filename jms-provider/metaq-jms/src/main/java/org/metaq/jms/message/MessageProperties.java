package org.metaq.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Properties with the names, types and conversions of Jakarta Messaging 3.1 §3.5; for messages and
 * for the defaults of a {@code JMSProducer}. Confined to its user.
 */
public final class MessageProperties {
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    /** No properties. */
    public MessageProperties() {}

    /** What an envelope holds. */
    MessageProperties(Map<String, Object> values) {
        this.values.putAll(values);
    }

    /**
     * Sets a property that an application may set.
     *
     * @param value null, a boxed primitive but Character, or a String
     * @throws IllegalArgumentException if the name is null, empty, no identifier or a reserved word
     * @throws MessageFormatException if the value has another type, or not the one that {@code
     *     JMSXGroupID} or {@code JMSXGroupSeq} must have
     * @throws JMSException if only the provider sets this property
     */
    public void set(@Nullable String name, @Nullable Object value) throws JMSException {
        String checked = PropertyNames.checkSettable(name);
        Object stored = Conversions.checkProperty(value);
        if (checked.equals(PropertyNames.GROUP_ID) && stored != null) {
            requireType(checked, stored, String.class);
        } else if (checked.equals(PropertyNames.GROUP_SEQUENCE) && stored != null) {
            requireType(checked, stored, Integer.class);
        }
        values.put(checked, stored);
    }

    private static void requireType(String name, Object value, Class<?> type)
            throws MessageFormatException {
        if (!type.isInstance(value)) {
            throw new MessageFormatException(
                    name
                            + " must be a "
                            + type.getSimpleName()
                            + ", not a "
                            + value.getClass().getSimpleName());
        }
    }

    /** The value as it was set; null if absent or set to null. */
    public @Nullable Object get(@Nullable String name) {
        return values.get(name);
    }

    /** True if it was set, be it to null. */
    public boolean has(@Nullable String name) {
        return values.containsKey(name);
    }

    /** Names in the order in which they were first set; a view that cannot be changed. */
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** Forgets all. */
    public void clear() {
        values.clear();
    }

    /**
     * Reads a property as boolean.
     *
     * @throws MessageFormatException if its type cannot be read so
     */
    public boolean getBoolean(@Nullable String name) throws JMSException {
        return Conversions.toBoolean(get(name));
    }

    /** Reads a property as byte; errors as {@link #getInt}. */
    public byte getByte(@Nullable String name) throws JMSException {
        return Conversions.toByte(get(name));
    }

    /** Reads a property as short; errors as {@link #getInt}. */
    public short getShort(@Nullable String name) throws JMSException {
        return Conversions.toShort(get(name));
    }

    /**
     * Reads a property as int.
     *
     * @throws MessageFormatException if its type cannot be read so
     * @throws NumberFormatException if it is absent, null or a string that is no such number
     */
    public int getInt(@Nullable String name) throws JMSException {
        return Conversions.toInt(get(name));
    }

    /** Reads a property as long; errors as {@link #getInt}. */
    public long getLong(@Nullable String name) throws JMSException {
        return Conversions.toLong(get(name));
    }

    /**
     * Reads a property as float.
     *
     * @throws MessageFormatException if its type cannot be read so
     * @throws NumberFormatException if it is a string that is no such number
     * @throws NullPointerException if it is absent or null
     */
    public float getFloat(@Nullable String name) throws JMSException {
        return Conversions.toFloat(get(name));
    }

    /** Reads a property as double; errors as {@link #getFloat}. */
    public double getDouble(@Nullable String name) throws JMSException {
        return Conversions.toDouble(get(name));
    }

    /** Reads a property as text, whatever its type; null if absent or null. */
    public @Nullable String getString(@Nullable String name) throws JMSException {
        return Conversions.toText(get(name));
    }

    /** A copy for an envelope, in which null values cannot be: they read the same when absent. */
    Map<String, Object> encodable() {
        Map<String, Object> copy = new LinkedHashMap<>();
        values.forEach(
                (name, value) -> {
                    if (value != null) {
                        copy.put(name, value);
                    }
                });
        return copy;
    }

    /** Sets one that the application may not set. */
    void setByProvider(String name, Object value) {
        values.put(name, value);
    }
}
