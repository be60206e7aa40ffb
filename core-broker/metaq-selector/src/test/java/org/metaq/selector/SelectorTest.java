package org.metaq.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What selectors mean: Jakarta Messaging 3.1 §3.8.1.1 to §3.8.1.3, clause by clause. */
class SelectorTest {
    private static final Map<String, Object> MESSAGE = new HashMap<>();

    static {
        MESSAGE.put("yes", true);
        MESSAGE.put("no", false);
        MESSAGE.put("aByte", (byte) 1);
        MESSAGE.put("aShort", (short) -300);
        MESSAGE.put("anInt", 70_000);
        MESSAGE.put("aLong", 9_007_199_254_740_993L);
        MESSAGE.put("aFloat", 0.1f);
        MESSAGE.put("aDouble", 2.5);
        MESSAGE.put("notANumber", Double.NaN);
        MESSAGE.put("minusZero", -0.0);
        MESSAGE.put("largest", Integer.MAX_VALUE);
        MESSAGE.put("colour", "red");
        MESSAGE.put("Colour", "blue");
        MESSAGE.put("quoted", "it's");
        MESSAGE.put("empty", "");
        MESSAGE.put("two", "2");
        MESSAGE.put("$_größe", 5);
        MESSAGE.put("JMSDeliveryMode", "PERSISTENT");
        MESSAGE.put("JMSPriority", 4);
        MESSAGE.put("JMSTimestamp", 1_700_000_000_000L);
        MESSAGE.put("JMSMessageID", "ID:1");
        MESSAGE.put("JMSXGroupSeq", 3);
        MESSAGE.put("JMS_METAQ_x", "y");
    }

    private static Truth truthOf(String text) {
        try {
            Selector selector = Selector.parse(text);
            boolean isSelected = selector.matches(MESSAGE::get);
            if (isSelected) {
                return Truth.TRUE;
            }
            // Unknown and false differ in their negation only.
            return Selector.parse("NOT (" + text + ")").matches(MESSAGE::get)
                    ? Truth.FALSE
                    : Truth.UNKNOWN;
        } catch (SelectorSyntaxException e) {
            throw new AssertionError(text, e);
        }
    }

    /** A clause, what it makes of selectors. */
    private record Clause(String name, Truth truth, List<String> selectors) {}

    private static Clause yes(String name, String... selectors) {
        return new Clause(name, Truth.TRUE, List.of(selectors));
    }

    private static Clause no(String name, String... selectors) {
        return new Clause(name, Truth.FALSE, List.of(selectors));
    }

    private static Clause unknown(String name, String... selectors) {
        return new Clause(name, Truth.UNKNOWN, List.of(selectors));
    }

    private static final List<Clause> LITERALS =
            List.of(
                    yes(
                            "a string is enclosed in single quotes, one inside is doubled",
                            "quoted = 'it''s'",
                            "empty = ''",
                            "'''' = ''''",
                            "'é漢😀' = 'é漢😀'",
                            "'AND' <> 'and'"),
                    yes(
                            "exact numbers have the range of long",
                            "57 = 57",
                            "-957 < +62",
                            "9223372036854775807 > 9223372036854775806",
                            "-9223372036854775808 < -9223372036854775807",
                            "- 9223372036854775808 < 0",
                            "aLong = 9007199254740993L",
                            "aLong = 9007199254740993l"),
                    yes(
                            "exact numbers have the syntax of Java",
                            "0x1F = 31",
                            "0XfFl = 255",
                            "010 = 8",
                            "00 = 0",
                            "0 = 0",
                            "0b101 = 5",
                            "1_000 = 1000",
                            "0xFFFFFFFF = 4294967295",
                            "0xFFFFFFFFFFFFFFFF = -1",
                            "-0x10 = -16"),
                    yes(
                            "approximate numbers are those of Java",
                            "7E3 = 7000",
                            "-57.9E2 = -5790",
                            "7. = 7",
                            "-95.7 < -95",
                            "+6.2 > 6",
                            ".5 = 0.5",
                            "57e3 = 57000",
                            "1.2E-5 < 0.000013",
                            "2e+2 = 200",
                            "09.5 = 9.5",
                            "5f = 5",
                            "5D = 5",
                            "0x1p4 = 16",
                            "0x.8p0d = 0.5",
                            "4.9e-324 > 0",
                            "0e0 = 0",
                            "aFloat = 0.1f"),
                    no("a float is no double", "aFloat = 0.1"),
                    yes("TRUE and FALSE, whatever their case", "TRUE", "true", "NOT False"),
                    no("FALSE selects nothing", "FALSE", "not TRUE"));

    private static final List<Clause> IDENTIFIERS =
            List.of(
                    yes(
                            "an identifier is one of Java",
                            "$_größe = 5",
                            "colour='red'AND yes",
                            "_a IS NULL",
                            "a$b IS NULL",
                            "ANDROID IS NULL",
                            "Escaped IS NULL"),
                    yes("its case matters", "colour = 'red' AND Colour = 'blue'"),
                    yes(
                            "headers",
                            "JMSDeliveryMode = 'PERSISTENT'",
                            "JMSDeliveryMode <> 'NON_PERSISTENT'",
                            "JMSPriority BETWEEN 4 AND 9",
                            "JMSTimestamp > 1699999999999",
                            "JMSMessageID LIKE 'ID:%'",
                            "JMSType IS NULL",
                            "JMSCorrelationID IS NULL"),
                    yes("properties that JMS defines", "JMSXGroupSeq = 3", "JMS_METAQ_x = 'y'"),
                    yes("an identifier alone is a condition", "yes", "NOT no", "yes AND NOT no"),
                    no("one that is no boolean is not true", "colour", "anInt", "yes AND aLong"),
                    unknown("one that is absent is unknown", "absent", "NOT absent"));

    private static final List<Clause> COMPARISONS =
            List.of(
                    yes(
                            "numbers",
                            "aByte = 1",
                            "aShort = -300",
                            "anInt >= 70000",
                            "anInt <= 70000",
                            "anInt <> 69999",
                            "aDouble > 2",
                            "aDouble < 3",
                            "minusZero = 0",
                            "minusZero = 0.0",
                            "notANumber <> notANumber"),
                    no(
                            "numbers that are not so",
                            "aByte = 2",
                            "aDouble > 2.5",
                            "notANumber = notANumber",
                            "notANumber < 1",
                            "notANumber >= 1"),
                    yes(
                            "exact and approximate without rounding",
                            "aLong > 9007199254740992.0",
                            "aLong < 9007199254740994.0",
                            "9223372036854775807 < 9.223372036854775808E18",
                            "-9223372036854775808 = -9.223372036854775808E18",
                            "-9223372036854775808 > -9.3E18",
                            "2 < 2.5",
                            "-2 > -2.5",
                            "3 > 2.5"),
                    no(
                            "neighbours of an exact number are not equal to it",
                            "aLong = 9007199254740992.0",
                            "9223372036854775807 = 9.223372036854775807E18"),
                    yes(
                            "strings and booleans are equal or not",
                            "colour <> 'RED'",
                            "yes = TRUE",
                            "yes <> no",
                            "(anInt > 1) = TRUE",
                            "colour <> Colour"),
                    no(
                            "values unlike each other",
                            "colour = 1",
                            "colour <> 1",
                            "colour > 1",
                            "yes = 'TRUE'",
                            "yes <> 1",
                            "two = 2",
                            "two > 1",
                            "1 = '1'",
                            "colour < Colour",
                            "yes > no"),
                    unknown(
                            "with a null, §3.8.1.2",
                            "absent = 1",
                            "absent <> 1",
                            "absent > 1",
                            "absent <> 'x'",
                            "absent = absent",
                            "absent <> yes"));

    private static final List<Clause> ARITHMETIC =
            List.of(
                    yes(
                            "precedence: signs, * and /, + and -, comparison",
                            "1 + 2 * 3 = 7",
                            "(1 + 2) * 3 = 9",
                            "10 - 4 - 3 = 3",
                            "100 / 10 / 5 = 2",
                            "100 / 10 * 5 = 50",
                            "-2 * -3 = 6",
                            "2 - -3 = 5",
                            "--5 = 5",
                            "-(anInt) = -70000",
                            "+aDouble = 2.5",
                            "2-1=1"),
                    yes(
                            "the types are those of Java's promotion",
                            "7 / 2 = 3",
                            "7 / 2. = 3.5",
                            "-7 / 2 = -3",
                            "largest + aByte = -2147483648",
                            "largest + 1 = 2147483648",
                            "9223372036854775807 + 1 = -9223372036854775808",
                            "aFloat + 0.2f = 0.3f",
                            "aFloat * 1.0 <> 0.1",
                            "1.0 / 0 > 1e308",
                            "0.0 / 0 <> 0"),
                    unknown(
                            "with a null, and the division of integers by zero",
                            "absent + 1 = 1",
                            "1 - absent > 0",
                            "-absent < 0",
                            "colour * absent = 1",
                            "1 / 0 = 1",
                            "aByte / (aByte - aByte) <> 1"),
                    no(
                            "a string or a boolean is no number",
                            "two + 1 = 3",
                            "two * 1 <> 3",
                            "-two = -2",
                            "-two <> -2",
                            "yes + 1 > 0",
                            "colour + 1 = colour + 1"));

    private static final List<Clause> PREDICATES =
            List.of(
                    yes(
                            "BETWEEN is >= and <=",
                            "anInt BETWEEN 70000 AND 70000",
                            "aDouble between 2 and 2.5",
                            "3 BETWEEN aDouble AND 2 + 1",
                            "anInt NOT BETWEEN 1 AND 2",
                            "anInt NOT BETWEEN absent AND 2"),
                    no(
                            "BETWEEN of something else",
                            "anInt BETWEEN 1 AND 2",
                            "anInt BETWEEN 80000 AND 1",
                            "colour BETWEEN 1 AND 2",
                            "colour NOT BETWEEN 1 AND 2",
                            "anInt BETWEEN absent AND 2"),
                    unknown(
                            "BETWEEN with null",
                            "absent BETWEEN 1 AND 2",
                            "absent NOT BETWEEN 1 AND 2",
                            "anInt BETWEEN 1 AND absent",
                            "anInt NOT BETWEEN 1 AND absent"),
                    yes(
                            "IN",
                            "colour IN ('green', 'red')",
                            "colour in('red')",
                            "colour NOT IN ('green', 'Red')",
                            "empty IN ('')",
                            "colour IN ('red', 'red')"),
                    no(
                            "IN of something else",
                            "colour IN ('green')",
                            "colour NOT IN ('red')",
                            "two IN ('1', '3')",
                            "aByte IN ('1')",
                            "aByte NOT IN ('1')"),
                    unknown("IN of null", "absent IN ('a')", "absent NOT IN ('a')"),
                    yes(
                            "LIKE",
                            "colour LIKE 'r_d'",
                            "colour LIKE '%e%'",
                            "colour NOT LIKE 'r_'",
                            "quoted LIKE 'it''%'",
                            "empty LIKE '%'",
                            "JMSMessageID LIKE 'ID!:_' ESCAPE '!'"),
                    no(
                            "LIKE of something else",
                            "colour LIKE 'R%'",
                            "colour NOT LIKE '%'",
                            "aByte LIKE '1'",
                            "aByte NOT LIKE '2'"),
                    unknown("LIKE of null", "absent LIKE '%'", "absent NOT LIKE '%'"),
                    yes("IS NULL", "absent IS NULL", "colour IS NOT NULL", "absent is null"),
                    no("IS NULL of something else", "colour IS NULL", "absent IS NOT NULL"));

    private static final List<Clause> LOGIC =
            List.of(
                    yes(
                            "precedence: comparison, NOT, AND, OR",
                            "TRUE OR FALSE AND FALSE",
                            "NOT FALSE OR TRUE",
                            "NOT anInt = 1",
                            "NOT NOT yes",
                            "NOT colour LIKE 'b%' AND yes"),
                    no("parentheses change it", "(TRUE OR FALSE) AND FALSE", "NOT (FALSE OR TRUE)"),
                    yes("white space is that of Java", "\tyes\n=\f\r\nTRUE "));

    @TestFactory
    List<DynamicTest> shouldMeanWhatTheClauseSays() {
        List<DynamicTest> tests = new ArrayList<>();
        for (List<Clause> group :
                List.of(LITERALS, IDENTIFIERS, COMPARISONS, ARITHMETIC, PREDICATES, LOGIC)) {
            for (Clause clause : group) {
                for (String selector : clause.selectors()) {
                    tests.add(
                            DynamicTest.dynamicTest(
                                    "§3.8.1.1 " + clause.name() + ": " + selector,
                                    () -> assertThat(truthOf(selector)).isEqualTo(clause.truth())));
                }
            }
        }
        return tests;
    }

    /** Jakarta Messaging 3.1 §3.8.1.2, tables 3-4 to 3-6. */
    @ParameterizedTest
    @CsvSource({
        "T,T,T,T", "T,F,F,T", "T,U,U,T", "F,T,F,T", "F,F,F,F", "F,U,F,U", "U,T,U,T", "U,F,F,U",
        "U,U,U,U"
    })
    void shouldCombineUnknownAsSqlDoes(char left, char right, char and, char or) {
        String l = operand(left);
        String r = operand(right);
        assertThat(truthOf(l + " AND " + r)).isEqualTo(truth(and));
        assertThat(truthOf(l + " OR " + r)).isEqualTo(truth(or));
        assertThat(truthOf(l + " OR " + r + " OR FALSE")).isEqualTo(truth(or));
        assertThat(truthOf(l + " AND TRUE AND " + r)).isEqualTo(truth(and));
    }

    @ParameterizedTest
    @CsvSource({"T,F", "F,T", "U,U"})
    void shouldNegateUnknownToUnknown(char operand, char not) {
        assertThat(truthOf("NOT " + operand(operand))).isEqualTo(truth(not));
        assertThat(truthOf("NOT (" + operand(operand) + ")")).isEqualTo(truth(not));
    }

    private static String operand(char truth) {
        return switch (truth) {
            case 'T' -> "anInt = 70000";
            case 'F' -> "anInt = 1";
            default -> "absent = 1";
        };
    }

    private static Truth truth(char truth) {
        return switch (truth) {
            case 'T' -> Truth.TRUE;
            case 'F' -> Truth.FALSE;
            default -> Truth.UNKNOWN;
        };
    }

    @Test
    void shouldKnowTheIdentifiersInTheOrderOfTheText() throws SelectorSyntaxException {
        Selector selector = Selector.parse("b > 1 AND JMSType = 'x' OR a LIKE 'y' AND b IS NULL");
        assertThat(selector.identifiers()).containsExactly("b", "JMSType", "a");
        assertThat(selector).hasToString("b > 1 AND JMSType = 'x' OR a LIKE 'y' AND b IS NULL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void shouldTakeABlankTextForNone(String text) throws SelectorSyntaxException {
        assertThat(Selector.parseOrNull(text)).isNull();
        assertThat(Selector.parseOrNull(null)).isNull();
        assertThat(Selector.parseOrNull("a")).isNotNull();
    }
}
