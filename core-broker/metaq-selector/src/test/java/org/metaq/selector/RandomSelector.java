package org.metaq.selector;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes random selectors, each with a second opinion on what it means: an evaluation that shares
 * nothing with the product's but the specification. Numbers are compared as decimals, integers
 * reckoned without limit and cut, patterns are regular expressions.
 */
final class RandomSelector {
    /** Something that is neither number nor string nor boolean. */
    private static final Object UNLIKE = new Object();

    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int PREDICATE = 4;
    private static final int SUM = 5;
    private static final int PRODUCT = 6;
    private static final int SIGN = 7;
    private static final int PRIMARY = 8;

    static final String[] NAMES = {"a", "b", "c", "d", "é", "JMSType", "JMSXGroupID"};

    private final Random random;

    RandomSelector(Random random) {
        this.random = random;
    }

    /**
     * A selector or a part of one.
     *
     * @param precedence of its outermost operator
     * @param opinion null, a Boolean, a Number, a String or {@link #UNLIKE}
     */
    record Part(int precedence, String text, Function<Map<String, Object>, Object> opinion) {}

    Part condition(int depth) {
        int kind = random.nextInt(depth <= 0 ? 6 : 10);
        return switch (kind) {
            case 0 -> random.nextInt(4) == 0 ? booleanLiteral() : identifier();
            case 1, 2 -> comparison(depth);
            case 3 -> in();
            case 4 -> like();
            case 5 -> random.nextBoolean() ? isNull() : between(depth);
            case 6 -> not(depth);
            case 7, 8 -> chain(depth, true);
            default -> chain(depth, false);
        };
    }

    Object randomValue() {
        return switch (random.nextInt(11)) {
            case 0, 1 -> null;
            case 2 -> random.nextBoolean();
            case 3 -> (byte) (random.nextInt(7) - 3);
            case 4 -> (short) (random.nextInt(7) - 3);
            case 5 -> random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(7) - 3;
            case 6 -> random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(7) - 3L;
            case 7 -> random.nextInt(9) == 0 ? Float.NaN : (random.nextInt(13) - 6) / 2f;
            case 8 -> random.nextInt(9) == 0 ? Double.NaN : (random.nextInt(13) - 6) / 2.0;
            default -> randomString();
        };
    }

    private String randomString() {
        return Stream.generate(() -> "a b ' _ % é 1".split(" ")[random.nextInt(7)])
                .limit(random.nextInt(4))
                .collect(Collectors.joining());
    }

    private static String quoted(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    private String space() {
        return new String[] {" ", "  ", "\t", "\n "}[random.nextInt(8) < 5 ? 0 : random.nextInt(4)];
    }

    private String word(String keyword) {
        return space() + (random.nextBoolean() ? keyword : keyword.toLowerCase()) + space();
    }

    /** In parentheses where it must be, and sometimes where it need not. */
    private String within(Part part, int precedence) {
        boolean isWrapped = part.precedence() < precedence || random.nextInt(6) == 0;
        return isWrapped ? "(" + part.text() + ")" : part.text();
    }

    private Part booleanLiteral() {
        boolean value = random.nextBoolean();
        return new Part(PRIMARY, word(Boolean.toString(value).toUpperCase()), message -> value);
    }

    private Part identifier() {
        String name = NAMES[random.nextInt(NAMES.length)];
        return new Part(PRIMARY, name, message -> message.get(name));
    }

    private Part not(int depth) {
        Part term = condition(depth - 1);
        return new Part(
                NOT,
                word("NOT") + within(term, NOT),
                message -> negate(asCondition(term.opinion().apply(message))));
    }

    private Part chain(int depth, boolean isAnd) {
        int precedence = isAnd ? AND : OR;
        List<Part> terms = new ArrayList<>();
        for (int i = 2 + random.nextInt(3); i > 0; i--) {
            terms.add(condition(depth - 1));
        }
        String text =
                terms.stream()
                        .map(term -> within(term, precedence + 1))
                        .collect(Collectors.joining(word(isAnd ? "AND" : "OR")));
        return new Part(
                precedence,
                text,
                message -> {
                    List<Boolean> values = new ArrayList<>();
                    terms.forEach(term -> values.add(asCondition(term.opinion().apply(message))));
                    Boolean decisive = !isAnd;
                    if (values.contains(decisive)) {
                        return decisive;
                    }
                    return values.contains(null) ? null : !decisive;
                });
    }

    private Part comparison(int depth) {
        String operator = new String[] {"=", "<>", "<", "<=", ">", ">="}[random.nextInt(6)];
        boolean isEquality = operator.equals("=") || operator.equals("<>");
        // A condition compares with booleans alone.
        boolean isOfConditions = isEquality && random.nextInt(3) == 0;
        Part left = isOfConditions ? truth(depth) : isEquality ? operand(depth) : number(depth);
        Part right = isOfConditions ? truth(depth) : isEquality ? operand(depth) : number(depth);
        return new Part(
                PREDICATE,
                within(left, SUM) + space() + operator + space() + within(right, SUM),
                message ->
                        compare(
                                left.opinion().apply(message),
                                operator,
                                right.opinion().apply(message)));
    }

    private Part operand(int depth) {
        return switch (random.nextInt(4)) {
            case 0, 1 -> {
                String value = randomString();
                yield new Part(PRIMARY, quoted(value), message -> value);
            }
            case 2 -> identifier();
            default -> number(depth);
        };
    }

    private Part truth(int depth) {
        return switch (random.nextInt(3)) {
            case 0 -> booleanLiteral();
            case 1 -> identifier();
            default -> depth > 0 ? condition(depth - 1) : identifier();
        };
    }

    private Part between(int depth) {
        Part value = number(depth);
        Part low = number(depth);
        Part high = number(depth);
        boolean isNegated = random.nextBoolean();
        String text =
                within(value, SUM)
                        + word(isNegated ? "NOT BETWEEN" : "BETWEEN")
                        + within(low, SUM)
                        + word("AND")
                        + within(high, SUM);
        return new Part(
                PREDICATE,
                text,
                message -> {
                    Object v = value.opinion().apply(message);
                    Object l = low.opinion().apply(message);
                    Object h = high.opinion().apply(message);
                    List<Boolean> both = new ArrayList<>();
                    both.add(compare(v, isNegated ? "<" : ">=", l));
                    both.add(compare(v, isNegated ? ">" : "<=", h));
                    if (both.contains(isNegated)) {
                        return isNegated;
                    }
                    return both.contains(null) ? null : !isNegated;
                });
    }

    private Part in() {
        Part name = identifier();
        boolean isNegated = random.nextBoolean();
        List<String> values = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            values.add(randomString());
        }
        String text =
                name.text()
                        + word(isNegated ? "NOT IN" : "IN")
                        + values.stream()
                                .map(RandomSelector::quoted)
                                .collect(Collectors.joining(" ,", "(", ")"));
        return new Part(
                PREDICATE,
                text,
                message -> {
                    Object value = name.opinion().apply(message);
                    if (value == null) {
                        return null;
                    }
                    return value instanceof String && values.contains(value) != isNegated;
                });
    }

    private Part like() {
        Part name = identifier();
        boolean isNegated = random.nextBoolean();
        boolean isEscaped = random.nextBoolean();
        StringBuilder pattern = new StringBuilder();
        StringBuilder regex = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            String character = "a b ' _ % é 1".split(" ")[random.nextInt(7)];
            if (isEscaped && random.nextInt(3) == 0) {
                pattern.append("\\").append(character);
                regex.append(Pattern.quote(character));
            } else {
                pattern.append(character);
                regex.append(
                        character.equals("_")
                                ? "."
                                : character.equals("%") ? ".*" : Pattern.quote(character));
            }
        }
        String text =
                name.text()
                        + word(isNegated ? "NOT LIKE" : "LIKE")
                        + quoted(pattern.toString())
                        + (isEscaped ? word("ESCAPE") + "'\\'" : "");
        Pattern compiled = Pattern.compile(regex.toString());
        return new Part(
                PREDICATE,
                text,
                message -> {
                    Object value = name.opinion().apply(message);
                    if (value == null) {
                        return null;
                    }
                    return value instanceof String string
                            && compiled.matcher(string).matches() != isNegated;
                });
    }

    private Part isNull() {
        Part name = identifier();
        boolean isNegated = random.nextBoolean();
        return new Part(
                PREDICATE,
                name.text() + word(isNegated ? "IS NOT NULL" : "IS NULL"),
                message -> (name.opinion().apply(message) == null) != isNegated);
    }

    private Part number(int depth) {
        return switch (random.nextInt(depth <= 0 ? 2 : 5)) {
            case 0 -> numericLiteral();
            case 1 -> identifier();
            case 2 -> arithmetic(depth, SUM, '+', '-');
            case 3 -> arithmetic(depth, PRODUCT, '*', '/');
            default -> sign(depth);
        };
    }

    private Part numericLiteral() {
        int value = random.nextInt(5);
        return switch (random.nextInt(6)) {
            case 0 -> new Part(PRIMARY, value + ".", message -> (double) value);
            case 1 -> new Part(PRIMARY, value + ".5e0", message -> value + 0.5);
            case 2 -> new Part(PRIMARY, value + "f", message -> (float) value);
            case 3 -> new Part(PRIMARY, "0x" + value, message -> (long) value);
            case 4 -> new Part(PRIMARY, Long.MAX_VALUE + "L", message -> Long.MAX_VALUE);
            default -> new Part(PRIMARY, Integer.toString(value), message -> (long) value);
        };
    }

    private Part sign(int depth) {
        Part operand = number(depth - 1);
        boolean isMinus = random.nextBoolean();
        return new Part(
                SIGN,
                (isMinus ? "-" : "+") + space() + within(operand, SIGN),
                message -> {
                    Object value = operand.opinion().apply(message);
                    if (isMinus) {
                        return reckon(negativeZeroLike(value), '-', value);
                    }
                    return value == null || value instanceof Number ? value : UNLIKE;
                });
    }

    private Part arithmetic(int depth, int precedence, char one, char other) {
        Part first = number(depth - 1);
        List<Part> operands = new ArrayList<>();
        List<Character> operators = new ArrayList<>();
        StringBuilder text = new StringBuilder(within(first, precedence));
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            char operator = random.nextBoolean() ? one : other;
            Part operand = number(depth - 1);
            operators.add(operator);
            operands.add(operand);
            text.append(space()).append(operator).append(space());
            text.append(within(operand, precedence + 1));
        }
        return new Part(
                precedence,
                text.toString(),
                message -> {
                    Object result = first.opinion().apply(message);
                    for (int i = 0; i < operands.size(); i++) {
                        Object operand = operands.get(i).opinion().apply(message);
                        result = reckon(result, operators.get(i), operand);
                    }
                    return result;
                });
    }

    /** What a minus subtracts from. */
    private static Object negativeZeroLike(Object value) {
        if (value instanceof Float) {
            return -0f;
        }
        if (value instanceof Double) {
            return -0.0;
        }
        return 0;
    }

    private static Boolean asCondition(Object value) {
        if (value == null) {
            return null;
        }
        return value instanceof Boolean b && b;
    }

    private static Boolean negate(Boolean value) {
        return value == null ? null : !value;
    }

    private static Boolean compare(Object left, String operator, Object right) {
        if (left == null || right == null) {
            return null;
        }
        if (left instanceof Number l && right instanceof Number r) {
            double ld = l.doubleValue();
            double rd = r.doubleValue();
            if (Double.isNaN(ld) || Double.isNaN(rd)) {
                return operator.equals("<>");
            }
            boolean isFinite = !Double.isInfinite(ld) && !Double.isInfinite(rd);
            int order = isFinite ? decimal(l).compareTo(decimal(r)) : Double.compare(ld, rd);
            return switch (operator) {
                case "=" -> order == 0;
                case "<>" -> order != 0;
                case "<" -> order < 0;
                case "<=" -> order <= 0;
                case ">" -> order > 0;
                default -> order >= 0;
            };
        }
        boolean isAlike = left.getClass() == right.getClass() && left != UNLIKE && right != UNLIKE;
        return switch (operator) {
            case "=" -> isAlike && left.equals(right);
            case "<>" -> isAlike && !left.equals(right);
            default -> false;
        };
    }

    private static BigDecimal decimal(Number value) {
        return value instanceof Double || value instanceof Float
                ? new BigDecimal(value.doubleValue())
                : BigDecimal.valueOf(value.longValue());
    }

    private static Object reckon(Object left, char operator, Object right) {
        if (left == null || right == null) {
            return null;
        }
        if (!(left instanceof Number l) || !(right instanceof Number r)) {
            return UNLIKE;
        }
        if (l instanceof Double || r instanceof Double) {
            double a = l.doubleValue();
            double b = r.doubleValue();
            return operator == '+'
                    ? a + b
                    : operator == '-' ? a - b : operator == '*' ? a * b : a / b;
        }
        if (l instanceof Float || r instanceof Float) {
            float a = l.floatValue();
            float b = r.floatValue();
            return operator == '+'
                    ? a + b
                    : operator == '-' ? a - b : operator == '*' ? a * b : a / b;
        }
        BigInteger a = BigInteger.valueOf(l.longValue());
        BigInteger b = BigInteger.valueOf(r.longValue());
        if (operator == '/' && b.signum() == 0) {
            return null;
        }
        BigInteger result =
                switch (operator) {
                    case '+' -> a.add(b);
                    case '-' -> a.subtract(b);
                    case '*' -> a.multiply(b);
                    default -> a.divide(b);
                };
        if (l instanceof Long || r instanceof Long) {
            return result.longValue();
        }
        return result.intValue();
    }
}
