package org.metaq.jms.message;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Classes that a received object message may hold: those of the JDK that carry plain data, and what
 * the connection option {@code allowedClasses} adds. Immutable.
 */
public final class AllowList {
    /** The connection option that extends it, for error texts. */
    static final String SETTING = "allowedClasses";

    private static final String PACKAGE_SUFFIX = ".*";

    // Superclasses and helpers are named too: the stream names each of them.
    private static final String JDK_CLASSES =
            "java.lang.Boolean,java.lang.Byte,java.lang.Short,java.lang.Character,"
                    + "java.lang.Integer,java.lang.Long,java.lang.Float,java.lang.Double,"
                    + "java.lang.Number,java.lang.String,java.lang.String$CaseInsensitiveComparator,"
                    + "java.lang.StringBuffer,java.lang.StringBuilder,java.lang.Object,java.lang.Enum,"
                    + "java.math.BigDecimal,java.math.BigInteger,java.math.MathContext,"
                    + "java.math.RoundingMode,java.time.*,"
                    + "java.util.AbstractCollection,java.util.AbstractList,java.util.AbstractMap,"
                    + "java.util.AbstractSet,java.util.AbstractSequentialList,"
                    + "java.util.ArrayDeque,java.util.ArrayList,java.util.Arrays$ArrayList,"
                    + "java.util.BitSet,java.util.CollSer,"
                    + "java.util.Currency,java.util.Date,java.util.Dictionary,java.util.EnumMap,"
                    + "java.util.EnumSet,java.util.EnumSet$SerializationProxy,java.util.RegularEnumSet,"
                    + "java.util.JumboEnumSet,java.util.HashMap,"
                    + "java.util.HashSet,java.util.Hashtable,java.util.LinkedHashMap,"
                    + "java.util.LinkedHashSet,java.util.LinkedList,java.util.Locale,"
                    + "java.util.Map$Entry,java.util.Properties,java.util.TreeMap,"
                    + "java.util.TreeSet,java.util.UUID,java.util.Vector";

    // Private classes that only hold other objects: wrappers such as the unmodifiable ones, and
    // what List.of() and its like make of java.util.CollSer.
    private static final Set<String> JDK_WRAPPERS =
            Set.of("java.util.Collections$", "java.util.ImmutableCollections$");

    /** The JDK's plain data types alone. */
    public static final AllowList DEFAULT = parse("");

    private final Set<String> names = new LinkedHashSet<>();
    // Each ends with a dot (or the dollar of JDK_WRAPPERS), so that org.acme.* does not take in
    // org.acmeevil.
    private final Set<String> prefixes = new LinkedHashSet<>();

    private AllowList() {
        prefixes.addAll(JDK_WRAPPERS);
    }

    /**
     * Adds patterns to the JDK's plain data types.
     *
     * @param patterns comma separated: names of classes ({@code org.acme.Order}, nested {@code
     *     org.acme.Order$Line}) and packages with their subpackages ({@code org.acme.*}); may be
     *     empty
     * @throws IllegalArgumentException if a pattern is neither
     */
    public static AllowList parse(String patterns) {
        AllowList list = new AllowList();
        list.addAll(JDK_CLASSES);
        list.addAll(patterns);
        return list;
    }

    private void addAll(String patterns) {
        for (String part : patterns.split(",", -1)) {
            String pattern = part.strip();
            if (!pattern.isEmpty()) {
                add(pattern);
            }
        }
    }

    private void add(String pattern) {
        boolean isPackage = pattern.endsWith(PACKAGE_SUFFIX);
        String name =
                isPackage
                        ? pattern.substring(0, pattern.length() - PACKAGE_SUFFIX.length())
                        : pattern;
        if (!isQualifiedName(name)) {
            throw new IllegalArgumentException(
                    SETTING
                            + " cannot hold '"
                            + pattern
                            + "': it takes names of classes and packages such as org.acme.*,"
                            + " separated by commas");
        }
        if (isPackage) {
            prefixes.add(name + ".");
        } else {
            names.add(name);
        }
    }

    private static boolean isQualifiedName(String name) {
        for (String part : name.split("\\.", -1)) {
            if (part.isEmpty()
                    || !Character.isJavaIdentifierStart(part.codePointAt(0))
                    || !part.codePoints().allMatch(Character::isJavaIdentifierPart)) {
                return false;
            }
        }
        return true;
    }

    /**
     * True if a class may be read; an array may if its elements may.
     *
     * @param className as {@link Class#getName()} gives it
     */
    public boolean allows(String className) {
        int dimensions = 0;
        while (dimensions < className.length() && className.charAt(dimensions) == '[') {
            dimensions++;
        }
        if (dimensions == 0) {
            return allowsElement(className);
        }
        if (className.length() == dimensions + 1) {
            return true; // an array of primitives
        }
        return className.startsWith("L", dimensions)
                && className.endsWith(";")
                && allowsElement(className.substring(dimensions + 1, className.length() - 1));
    }

    private boolean allowsElement(String name) {
        return names.contains(name) || prefixes.stream().anyMatch(name::startsWith);
    }
}
