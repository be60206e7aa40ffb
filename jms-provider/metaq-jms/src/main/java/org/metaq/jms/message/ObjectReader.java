package org.metaq.jms.message;

import jakarta.jms.MessageFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Reads a serialized object that may come from an enemy: each class is checked by name before it is
 * loaded and again by a filter, depth and array lengths are bounded by what the bytes can hold, and
 * proxies are refused, because what they do is not in their name.
 */
final class ObjectReader extends ObjectInputStream {
    private static final int DEPTH_MAX = 200;
    // A hash table may have up to 8/3 slots for each entry, which takes at least one byte.
    private static final int ARRAY_SLOTS_PER_BYTE = 3;
    private static final int ARRAY_LENGTH_FREE = 1024;

    private final @Nullable AllowList allowList;
    private final long arrayLengthMax;
    private @Nullable String refusal;

    private ObjectReader(byte[] serialized, @Nullable AllowList allowList) throws IOException {
        super(new ByteArrayInputStream(serialized));
        this.allowList = allowList;
        arrayLengthMax = ARRAY_LENGTH_FREE + (long) ARRAY_SLOTS_PER_BYTE * serialized.length;
        if (allowList != null) {
            setObjectInputFilter(this::check);
        }
    }

    /**
     * Reads an object.
     *
     * @param allowList null: any class, for what this process itself serialized
     * @throws MessageFormatException if a class is not allowed or not found, or the bytes are no
     *     object
     */
    static Serializable read(byte[] serialized, @Nullable AllowList allowList)
            throws MessageFormatException {
        String refusal = null;
        try (ObjectReader in = new ObjectReader(serialized, allowList)) {
            try {
                return (Serializable) in.readObject();
            } finally {
                refusal = in.refusal;
            }
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
            // A readObject method of an allowed class may throw anything.
            MessageFormatException failure =
                    new MessageFormatException(
                            refusal != null ? refusal : "the object cannot be read: " + e);
            failure.initCause(e);
            throw failure;
        }
    }

    private ObjectInputFilter.Status check(ObjectInputFilter.FilterInfo info) {
        ObjectInputFilter forAll = ObjectInputFilter.Config.getSerialFilter();
        if (forAll != null && forAll.checkInput(info) == ObjectInputFilter.Status.REJECTED) {
            return refuse("the filter of this JVM (jdk.serialFilter) refuses the object");
        }
        if (info.depth() > DEPTH_MAX) {
            return refuse("the object is nested more than " + DEPTH_MAX + " levels deep");
        }
        if (info.arrayLength() > arrayLengthMax) {
            return refuse(
                    "the object claims an array of "
                            + info.arrayLength()
                            + " elements, more than its bytes can hold");
        }
        Class<?> type = info.serialClass();
        if (type == null) {
            return ObjectInputFilter.Status.UNDECIDED;
        }
        if (Proxy.isProxyClass(type)) {
            return refuse("the object holds a proxy, which is never allowed");
        }
        return isAllowed(type.getName())
                ? ObjectInputFilter.Status.ALLOWED
                : refuse(notAllowed(type.getName()));
    }

    private ObjectInputFilter.Status refuse(String reason) {
        if (refusal == null) {
            refusal = reason;
        }
        return ObjectInputFilter.Status.REJECTED;
    }

    private boolean isAllowed(String className) {
        return allowList == null || allowList.allows(className);
    }

    private static String notAllowed(String className) {
        return "class "
                + className
                + " in an object message is not allowed; if you trust it, add it to the connection"
                + " option "
                + AllowList.SETTING;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
            throws IOException, ClassNotFoundException {
        String name = description.getName();
        // Primitive types come here as the value of a Class field: they have no package.
        if (!isAllowed(name) && !isPrimitive(name)) {
            refuse(notAllowed(name));
            throw new InvalidClassException(name, "not allowed");
        }
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            try {
                return Class.forName(name, false, context);
            } catch (ClassNotFoundException e) {
                return resolveHere(description, e);
            }
        }
        return super.resolveClass(description);
    }

    private Class<?> resolveHere(ObjectStreamClass description, ClassNotFoundException first)
            throws IOException, ClassNotFoundException {
        try {
            return super.resolveClass(description);
        } catch (ClassNotFoundException e) {
            e.addSuppressed(first);
            throw e;
        }
    }

    private static boolean isPrimitive(String name) {
        return switch (name) {
            case "boolean", "byte", "short", "char", "int", "long", "float", "double", "void" ->
                    true;
            default -> false;
        };
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces)
            throws IOException, ClassNotFoundException {
        if (allowList == null) {
            return super.resolveProxyClass(interfaces);
        }
        refuse("the object holds a proxy, which is never allowed");
        throw new InvalidClassException("proxy of " + String.join(", ", interfaces));
    }
}
