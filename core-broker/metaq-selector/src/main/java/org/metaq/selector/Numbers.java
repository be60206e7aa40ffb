package org.metaq.selector;

/** Comparison of the six numeric types of Java, exact and approximate ones mixed. */
final class Numbers {
    /** Result of arithmetic on a value that is no number: unlike everything, so never true. */
    static final Object NO_NUMBER = new Object();

    private static final double TWO_TO_63 = 0x1p63;

    private Numbers() {}

    static boolean isNaN(Number value) {
        return Double.isNaN(value.doubleValue());
    }

    /**
     * Compares two numbers by their values; none of them is NaN. A long and a double are compared
     * without rounding the long, so that ids above 2^53 do not equal their neighbours.
     *
     * @return below, at or above zero
     */
    static int compare(Number left, Number right) {
        if (isExact(left)) {
            return isExact(right)
                    ? Long.compare(left.longValue(), right.longValue())
                    : compare(left.longValue(), right.doubleValue());
        }
        return isExact(right)
                ? -compare(right.longValue(), left.doubleValue())
                : compare(left.doubleValue(), right.doubleValue());
    }

    /** As {@code -value} in Java. */
    static Number negate(Number value) {
        if (value instanceof Double) {
            return -value.doubleValue();
        }
        if (value instanceof Float) {
            return -value.floatValue();
        }
        if (value instanceof Long) {
            return -value.longValue();
        }
        return -value.intValue();
    }

    private static boolean isExact(Number value) {
        return !(value instanceof Double || value instanceof Float);
    }

    /** Not {@code Double.compare}, to which 0.0 is more than -0.0. */
    private static int compare(double left, double right) {
        if (left < right) {
            return -1;
        }
        return left > right ? 1 : 0;
    }

    private static int compare(long exact, double approximate) {
        if (approximate >= TWO_TO_63) {
            return -1;
        }
        if (approximate < -TWO_TO_63) {
            return 1;
        }
        long whole = (long) approximate;
        if (exact != whole) {
            return exact < whole ? -1 : 1;
        }
        // A double that has a fraction is below 2^53, where its whole part is exact.
        return compare((double) whole, approximate);
    }
}
