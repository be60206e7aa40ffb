package org.metaq.selector;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.metaq.selector.Expression.Identifier;
import org.metaq.selector.Expression.Kind;
import org.metaq.selector.Expression.Literal;

/**
 * Recursive descent over the grammar of Jakarta Messaging 3.1 §3.8.1.1. Confined to one parse.
 *
 * <pre>
 * selector   = or
 * or         = and { OR and }
 * and        = not { AND not }
 * not        = NOT not | predicate
 * predicate  = sum [ comparison sum
 *                  | [ NOT ] BETWEEN sum AND sum
 *                  | [ NOT ] IN ( string { , string } )         after an identifier
 *                  | [ NOT ] LIKE string [ ESCAPE string ]      after an identifier
 *                  | IS [ NOT ] NULL ]                          after an identifier
 * sum        = product { ( + | - ) product }
 * product    = sign { ( * | / ) sign }
 * sign       = ( + | - ) sign | primary
 * primary    = number | string | TRUE | FALSE | identifier | ( or )
 * </pre>
 *
 * <p>A condition in parentheses looks like arithmetic in parentheses until it is read. So each
 * expression says its {@link Kind}, and where it does not fit is refused.
 */
final class Parser {
    private static final Map<TokenType, ComparisonOperator> COMPARISONS =
            Map.of(
                    TokenType.EQUAL, ComparisonOperator.EQUAL,
                    TokenType.NOT_EQUAL, ComparisonOperator.NOT_EQUAL,
                    TokenType.LESS, ComparisonOperator.LESS,
                    TokenType.LESS_OR_EQUAL, ComparisonOperator.LESS_OR_EQUAL,
                    TokenType.GREATER, ComparisonOperator.GREATER,
                    TokenType.GREATER_OR_EQUAL, ComparisonOperator.GREATER_OR_EQUAL);

    private static final Map<TokenType, ArithmeticOperator> SUMS =
            Map.of(
                    TokenType.PLUS,
                    ArithmeticOperator.ADD,
                    TokenType.MINUS,
                    ArithmeticOperator.SUBTRACT);

    private static final Map<TokenType, ArithmeticOperator> PRODUCTS =
            Map.of(
                    TokenType.STAR,
                    ArithmeticOperator.MULTIPLY,
                    TokenType.SLASH,
                    ArithmeticOperator.DIVIDE);

    /** Headers that a selector may name. */
    private static final Set<String> HEADERS =
            Set.of(
                    "JMSDeliveryMode",
                    "JMSPriority",
                    "JMSMessageID",
                    "JMSTimestamp",
                    "JMSCorrelationID",
                    "JMSType");

    private final Lexer lexer;
    private final Set<String> identifiers = new LinkedHashSet<>();
    private Token token;
    private int depth;

    Parser(String text) throws SelectorSyntaxException {
        lexer = new Lexer(text);
        token = lexer.next();
    }

    /** The condition that the whole text is. */
    Expression parse() throws SelectorSyntaxException {
        Token start = token;
        Expression condition = or();
        if (token.type() != TokenType.END) {
            throw expected("AND, OR or the end");
        }
        return condition(start, condition);
    }

    /** What {@link #parse} came by, in the order of the text; unmodifiable. */
    Set<String> identifiers() {
        return Collections.unmodifiableSet(identifiers);
    }

    private Expression or() throws SelectorSyntaxException {
        List<Expression> terms = new ArrayList<>();
        Token start = token;
        Expression first = and();
        if (token.type() != TokenType.OR) {
            return first;
        }
        terms.add(condition(start, first));
        while (accept(TokenType.OR)) {
            Token next = token;
            terms.add(condition(next, and()));
        }
        return new Conditions.Or(List.copyOf(terms));
    }

    private Expression and() throws SelectorSyntaxException {
        List<Expression> terms = new ArrayList<>();
        Token start = token;
        Expression first = not();
        if (token.type() != TokenType.AND) {
            return first;
        }
        terms.add(condition(start, first));
        while (accept(TokenType.AND)) {
            Token next = token;
            terms.add(condition(next, not()));
        }
        return new Conditions.And(List.copyOf(terms));
    }

    private Expression not() throws SelectorSyntaxException {
        if (token.type() != TokenType.NOT) {
            return predicate();
        }
        descend();
        advance();
        Token start = token;
        Expression term = new Conditions.Not(condition(start, not()));
        depth--;
        return term;
    }

    private Expression predicate() throws SelectorSyntaxException {
        Token start = token;
        Expression operand = sum();
        ComparisonOperator comparison = COMPARISONS.get(token.type());
        if (comparison != null) {
            return comparison(start, operand, comparison);
        }
        if (token.type() == TokenType.IS) {
            return isNull(asIdentifier(start, operand));
        }
        boolean isNegated = accept(TokenType.NOT);
        return switch (token.type()) {
            case BETWEEN -> between(number(start, operand), isNegated);
            case IN -> in(asIdentifier(start, operand), isNegated);
            case LIKE -> like(asIdentifier(start, operand), isNegated);
            default -> {
                if (isNegated) {
                    throw expected("BETWEEN, IN or LIKE");
                }
                yield operand;
            }
        };
    }

    private Expression comparison(Token start, Expression left, ComparisonOperator operator)
            throws SelectorSyntaxException {
        advance();
        Token next = token;
        Expression right = sum();
        if (operator.isOrdering()) {
            number(start, left);
            number(next, right);
        }
        requireComparable(left, next, right);
        return new Conditions.Comparison(left, operator, right);
    }

    /**
     * TRUE and FALSE, and conditions, compare with booleans alone. With something that can be none
     * the result could only be false; most likely the word was meant as an identifier, which it
     * cannot be.
     */
    private static void requireComparable(Expression left, Token next, Expression right)
            throws SelectorSyntaxException {
        boolean isOneBoolean = left.kind() == Kind.BOOLEAN || right.kind() == Kind.BOOLEAN;
        if (isOneBoolean && left.kind() != right.kind() && !isAny(left) && !isAny(right)) {
            throw new SelectorSyntaxException(
                    next.position(), kindOf(left) + " is compared with " + kindOf(right));
        }
    }

    private static boolean isAny(Expression expression) {
        return expression.kind() == Kind.ANY;
    }

    private Expression isNull(Identifier name) throws SelectorSyntaxException {
        advance();
        boolean isNegated = accept(TokenType.NOT);
        take(TokenType.NULL, isNegated ? "NULL" : "NULL or NOT NULL");
        return new Conditions.IsNull(name, isNegated);
    }

    private Expression between(Expression operand, boolean isNegated)
            throws SelectorSyntaxException {
        advance();
        Token start = token;
        Expression low = number(start, sum());
        take(TokenType.AND, "the AND of BETWEEN");
        Token next = token;
        Expression high = number(next, sum());
        return new Conditions.Between(operand, low, high, isNegated);
    }

    private Expression in(Identifier name, boolean isNegated) throws SelectorSyntaxException {
        advance();
        take(TokenType.OPEN, "( behind IN");
        Set<String> values = new HashSet<>();
        do {
            values.add(take(TokenType.STRING, "a string literal").text());
        } while (accept(TokenType.COMMA));
        take(TokenType.CLOSE, ", or )");
        return new Conditions.In(name, Set.copyOf(values), isNegated);
    }

    private Expression like(Identifier name, boolean isNegated) throws SelectorSyntaxException {
        advance();
        Token pattern = take(TokenType.STRING, "the pattern, a string literal,");
        if (pattern.text().length() > Selector.PATTERN_LENGTH_MAX) {
            throw new SelectorSyntaxException(
                    pattern.position(),
                    "a pattern of "
                            + pattern.text().length()
                            + " characters; at most "
                            + Selector.PATTERN_LENGTH_MAX
                            + " are allowed");
        }
        int escape = accept(TokenType.ESCAPE) ? escape() : -1;
        try {
            return new Conditions.Like(name, LikePattern.of(pattern.text(), escape), isNegated);
        } catch (IllegalArgumentException e) {
            throw new SelectorSyntaxException(
                    pattern.position(), "in " + pattern.description() + " " + e.getMessage());
        }
    }

    private int escape() throws SelectorSyntaxException {
        Token escape = take(TokenType.STRING, "the escape character, a string literal,");
        if (escape.text().codePoints().count() != 1) {
            throw new SelectorSyntaxException(
                    escape.position(),
                    "an escape is one character, but " + escape.description() + " stands here");
        }
        return escape.text().codePointAt(0);
    }

    private Expression sum() throws SelectorSyntaxException {
        Token start = token;
        Expression first = product();
        if (!SUMS.containsKey(token.type())) {
            return first;
        }
        number(start, first);
        List<Arithmetic.Step> steps = new ArrayList<>();
        ArithmeticOperator operator;
        while ((operator = SUMS.get(token.type())) != null) {
            advance();
            Token next = token;
            steps.add(new Arithmetic.Step(operator, number(next, product())));
        }
        return new Arithmetic.Chain(first, List.copyOf(steps));
    }

    private Expression product() throws SelectorSyntaxException {
        Token start = token;
        Expression first = sign();
        if (!PRODUCTS.containsKey(token.type())) {
            return first;
        }
        number(start, first);
        List<Arithmetic.Step> steps = new ArrayList<>();
        ArithmeticOperator operator;
        while ((operator = PRODUCTS.get(token.type())) != null) {
            advance();
            Token next = token;
            steps.add(new Arithmetic.Step(operator, number(next, sign())));
        }
        return new Arithmetic.Chain(first, List.copyOf(steps));
    }

    private Expression sign() throws SelectorSyntaxException {
        boolean isMinus = token.type() == TokenType.MINUS;
        if (!isMinus && token.type() != TokenType.PLUS) {
            return primary();
        }
        descend();
        advance();
        Token start = token;
        Expression signed =
                token.type() == TokenType.NUMBER
                        ? literal(isMinus)
                        : new Arithmetic.Sign(number(start, sign()), isMinus);
        depth--;
        return signed;
    }

    private Expression primary() throws SelectorSyntaxException {
        return switch (token.type()) {
            case NUMBER -> literal(false);
            case STRING -> new Literal(Kind.STRING, advance().text());
            case TRUE, FALSE -> new Literal(Kind.BOOLEAN, advance().type() == TokenType.TRUE);
            case IDENTIFIER -> identifier();
            case OPEN -> parenthesized();
            default -> throw expected("a literal, an identifier, NOT or (");
        };
    }

    private Expression parenthesized() throws SelectorSyntaxException {
        descend();
        advance();
        Expression inner = or();
        take(TokenType.CLOSE, "an operator or )");
        depth--;
        return inner;
    }

    private Expression literal(boolean isNegative) throws SelectorSyntaxException {
        Token literal = advance();
        try {
            return new Literal(Kind.NUMBER, NumericLiteral.parse(literal.text(), isNegative));
        } catch (NumberFormatException e) {
            throw new SelectorSyntaxException(
                    literal.position(), literal.description() + " " + e.getMessage());
        }
    }

    private Expression identifier() throws SelectorSyntaxException {
        Token word = advance();
        String name = word.text();
        boolean isProperty =
                !name.startsWith("JMS") || name.startsWith("JMSX") || name.startsWith("JMS_");
        if (!isProperty && !HEADERS.contains(name)) {
            throw new SelectorSyntaxException(
                    word.position(),
                    word.description()
                            + " is none of the headers that a selector may name: "
                            + new TreeSet<>(HEADERS));
        }
        identifiers.add(name);
        return new Identifier(name);
    }

    private static Identifier asIdentifier(Token start, Expression expression)
            throws SelectorSyntaxException {
        if (expression instanceof Identifier identifier) {
            return identifier;
        }
        throw new SelectorSyntaxException(
                start.position(), "IN, LIKE and IS NULL want an identifier before them");
    }

    private static Expression condition(Token start, Expression expression)
            throws SelectorSyntaxException {
        if (expression.kind() == Kind.BOOLEAN || expression.kind() == Kind.ANY) {
            return expression;
        }
        throw new SelectorSyntaxException(
                start.position(),
                "a condition expected, but " + kindOf(expression) + " stands here");
    }

    private static Expression number(Token start, Expression expression)
            throws SelectorSyntaxException {
        if (expression.kind() == Kind.NUMBER || expression.kind() == Kind.ANY) {
            return expression;
        }
        throw new SelectorSyntaxException(
                start.position(),
                "a number or arithmetic expected, but " + kindOf(expression) + " stands here");
    }

    private static String kindOf(Expression expression) {
        return switch (expression.kind()) {
            case BOOLEAN -> "a condition";
            case NUMBER -> "a number";
            case STRING -> "a string";
            case ANY -> "an identifier";
        };
    }

    /** One level deeper; whoever comes back from it takes it off. */
    private void descend() throws SelectorSyntaxException {
        if (++depth > Selector.DEPTH_MAX) {
            throw new SelectorSyntaxException(
                    token.position(),
                    "nested deeper than "
                            + Selector.DEPTH_MAX
                            + " levels of parentheses, NOT and signs; write it flatter");
        }
    }

    /** Goes on to the next token and returns the one before. */
    private Token advance() throws SelectorSyntaxException {
        Token taken = token;
        token = lexer.next();
        return taken;
    }

    private boolean accept(TokenType type) throws SelectorSyntaxException {
        if (token.type() != type) {
            return false;
        }
        advance();
        return true;
    }

    private Token take(TokenType type, String what) throws SelectorSyntaxException {
        if (token.type() != type) {
            throw expected(what);
        }
        return advance();
    }

    private SelectorSyntaxException expected(String what) {
        return new SelectorSyntaxException(
                token.position(), what + " expected, but " + token.description() + " stands here");
    }
}
