package org.metaq.tck;

import java.util.Comparator;

/**
 * One test of the TCK. Immutable.
 *
 * @param className full name of its class
 * @param method name of its method, which takes nothing
 */
record TestId(String className, String method) implements Comparable<TestId> {
    /** Where all test classes of the TCK are. */
    static final String ROOT = "com.sun.ts.tests.jms";

    private static final Comparator<TestId> ORDER =
            Comparator.comparing(TestId::className).thenComparing(TestId::method);

    /** Package of a test class, as seen from {@link #ROOT}. */
    static String packageOf(String className) {
        int dot = className.lastIndexOf('.');
        return relative(dot < 0 ? "" : className.substring(0, dot));
    }

    private static String relative(String name) {
        return name.startsWith(ROOT + ".") ? name.substring(ROOT.length() + 1) : name;
    }

    String packageName() {
        return packageOf(className);
    }

    /** Package, class and method, as patterns and exclusions name it. */
    @Override
    public String toString() {
        return relative(className) + "." + method;
    }

    @Override
    public int compareTo(TestId other) {
        return ORDER.compare(this, other);
    }
}
