package org.metaq.server;

/**
 * Numbers as {@code server.ini} may write them: products and sums of whole numbers, each with an
 * optional unit {@code K}, {@code M} or {@code G} (powers of 1024), such as {@code 1024*1024*1024},
 * {@code 64M} or {@code 1G + 512M}.
 */
final class IntegerExpression {
    private IntegerExpression() {}

    /**
     * The value.
     *
     * @throws NumberFormatException if the text is not such an expression
     * @throws ArithmeticException if it does not fit an int64
     */
    static long evaluate(String text) {
        long sum = 0;
        for (String term : text.split("\\+", -1)) {
            long product = 1;
            for (String factor : term.split("\\*", -1)) {
                product = Math.multiplyExact(product, number(factor.trim()));
            }
            sum = Math.addExact(sum, product);
        }
        return sum;
    }

    private static long number(String text) {
        if (text.isEmpty()) {
            throw new NumberFormatException("a number is missing");
        }
        int shift =
                switch (text.charAt(text.length() - 1)) {
                    case 'k', 'K' -> 10;
                    case 'm', 'M' -> 20;
                    case 'g', 'G' -> 30;
                    default -> 0;
                };
        String digits = shift == 0 ? text : text.substring(0, text.length() - 1).trim();
        return Math.multiplyExact(Long.parseLong(digits), 1L << shift);
    }
}
