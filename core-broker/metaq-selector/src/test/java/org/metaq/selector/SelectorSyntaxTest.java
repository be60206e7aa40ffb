package org.metaq.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no selector is refused when it is presented: Jakarta Messaging 3.1 §3.8.1.1. */
class SelectorSyntaxTest {
    private static final char DELIMITER = '~';

    private static SelectorSyntaxException refusal(String text) {
        SelectorSyntaxException refusal =
                catchThrowableOfType(SelectorSyntaxException.class, () -> Selector.parse(text));
        assertThat(refusal).as(text).isNotNull();
        return refusal;
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = DELIMITER,
            value = {
                // Not a condition.
                "2 + 3 ~ 0 ~ a condition expected",
                "'abc' ~ 0 ~ a condition expected",
                "-a ~ 0 ~ a condition expected",
                "NOT 3 ~ 4 ~ a condition expected",
                "NOT 'x' ~ 4 ~ a condition expected",
                "a AND 'x' ~ 6 ~ a condition expected",
                "1 OR a ~ 0 ~ a condition expected",
                "(a + 1) OR b ~ 0 ~ a condition expected",
                // Types.
                "'x' > 'y' ~ 0 ~ a number or arithmetic expected",
                "a < 'y' ~ 4 ~ a number or arithmetic expected",
                "a >= TRUE ~ 5 ~ a number or arithmetic expected",
                "(a = 1) > 2 ~ 0 ~ a number or arithmetic expected",
                "'a' + 1 = 2 ~ 0 ~ a number or arithmetic expected",
                "1 + 'a' = 2 ~ 4 ~ a number or arithmetic expected",
                "2 * TRUE = 2 ~ 4 ~ a number or arithmetic expected",
                "-'a' = 2 ~ 1 ~ a number or arithmetic expected",
                "TRUE = 0 ~ 7 ~ a condition is compared with a number",
                "1 = FALSE ~ 4 ~ a number is compared with a condition",
                "TRUE <> 'x' ~ 8 ~ a condition is compared with a string",
                "(a = 1) = 2 ~ 10 ~ a condition is compared with a number",
                "a BETWEEN 'a' AND 'b' ~ 10 ~ a number or arithmetic expected",
                "a BETWEEN 1 AND 'b' ~ 16 ~ a number or arithmetic expected",
                "'a' BETWEEN 1 AND 2 ~ 0 ~ a number or arithmetic expected",
                "5 LIKE '5' ~ 0 ~ an identifier",
                "'a' LIKE 'a' ~ 0 ~ an identifier",
                "1 + a IN ('1') ~ 0 ~ an identifier",
                "'a' IN ('a') ~ 0 ~ an identifier",
                "3 IS NULL ~ 0 ~ an identifier",
                "(a = 1) IS NULL ~ 0 ~ an identifier",
                "a LIKE 5 ~ 7 ~ string literal",
                "a LIKE b ~ 7 ~ string literal",
                "a IN (1, 2) ~ 6 ~ string literal",
                "a IN (b) ~ 6 ~ string literal",
                // Structure.
                "a = ~ 3 ~ a literal, an identifier",
                "= 1 ~ 0 ~ a literal, an identifier",
                "a b ~ 2 ~ AND, OR or the end expected, but b",
                "a = 1 = 1 ~ 6 ~ AND, OR or the end",
                "a AND ~ 5 ~ but the end stands here",
                "AND a ~ 0 ~ but AND stands here",
                "a AND OR b ~ 6 ~ but OR stands here",
                "(a ~ 2 ~ an operator or )",
                "a) ~ 1 ~ but ) stands here",
                "() ~ 1 ~ but ) stands here",
                "a NOT = 1 ~ 6 ~ BETWEEN, IN or LIKE",
                "a NOT ~ 5 ~ BETWEEN, IN or LIKE",
                "a BETWEEN 1 ~ 11 ~ AND of BETWEEN",
                "a BETWEEN 1 OR 2 ~ 12 ~ AND of BETWEEN",
                "a IN () ~ 6 ~ string literal",
                "a IN ('x' ~ 9 ~ , or )",
                "a IN ('x',) ~ 10 ~ string literal",
                "a IN 'x' ~ 5 ~ ( behind IN",
                "a LIKE ~ 6 ~ string literal",
                "a LIKE 'x' ESCAPE ~ 17 ~ escape character",
                "a LIKE 'x' ESCAPE '' ~ 18 ~ one character",
                "a LIKE 'x' ESCAPE 'ab' ~ 18 ~ one character",
                "a LIKE 'x!' ESCAPE '!' ~ 7 ~ escape",
                "a IS ~ 4 ~ NULL or NOT NULL",
                "a IS 1 ~ 5 ~ NULL or NOT NULL",
                "a IS NOT TRUE ~ 9 ~ NULL",
                "a = NULL ~ 4 ~ but NULL stands here",
                "NULL = 0 ~ 0 ~ but NULL stands here",
                "escape = 1 ~ 0 ~ but escape stands here",
                "Between = 1 ~ 0 ~ but Between stands here",
                "a <> not 1 ~ 5 ~ but not stands here",
                // Characters and literals.
                "a = 'x ~ 4 ~ closing quote",
                "a = 'it's' ~ 8 ~ AND, OR or the end",
                "a = \"\"x\"\" ~ 4 ~ no meaning",
                "a == 1 ~ 3 ~ a literal",
                "a != 1 ~ 2 ~ no meaning",
                "a # 1 ~ 2 ~ no meaning",
                "a.b = 1 ~ 1 ~ no meaning",
                "a = 1; ~ 5 ~ no meaning",
                "12Myid = 'a' ~ 0 ~ 12Myid is no number",
                "a = 1.2.3 ~ 4 ~ is no number",
                "a = 5e ~ 4 ~ is no number",
                "a = 0x ~ 4 ~ is no number",
                "a = 09 ~ 4 ~ is no number",
                "a = 1_ ~ 4 ~ is no number",
                "a = 5LL ~ 4 ~ is no number",
                "a = 9223372036854775808 ~ 4 ~ range of a long",
                "a = 0x10000000000000000 ~ 4 ~ range of a long",
                "a = -9223372036854775809 ~ 5 ~ range of a long",
                "a = 1e400 ~ 4 ~ range of a double",
                "a = 1e-400 ~ 4 ~ range of a double",
                "a = 1e39f ~ 4 ~ range of a float",
                // Headers.
                "JMSReplyTo = 'a' ~ 0 ~ JMSReplyTo is none of the headers",
                "JMSDestination IS NULL ~ 0 ~ none of the headers",
                "a OR JMSRedelivered ~ 5 ~ none of the headers",
                "JMSExpiration > 0 ~ 0 ~ none of the headers",
                "JMS = 1 ~ 0 ~ none of the headers",
                "JMSjunk = 1 ~ 0 ~ none of the headers",
                // SQL has it, JMS does not.
                "a = 1 -- ~ 8 ~ but the end stands here",
                "a = 1 /* x */ ~ 7 ~ but * stands here"
            })
    void shouldRefuseWhatIsNoSelectorAndSayWhere(String text, int position, String problem) {
        SelectorSyntaxException refusal = refusal(text);
        assertThat(refusal).hasMessageContaining(problem);
        assertThat(refusal.position()).as(refusal.getMessage()).isEqualTo(position);
        assertThat(refusal).hasMessageContaining("character " + (position + 1) + ":");
    }

    @Test
    void shouldRefuseTheEmptyText() {
        assertThat(refusal("").position()).isZero();
        assertThat(refusal("  ").position()).isEqualTo(2);
    }

    @Test
    void shouldNotTakeLettersOfOtherScriptsForKeywords() throws SelectorSyntaxException {
        // Both have an ASCII letter as their upper case.
        assertThat(Selector.parse("ı\u017F = 1").matches(name -> 1)).isTrue();
        assertThat(Selector.parse("l\u0131ke = 1").matches(name -> 1)).isTrue();
        // White space of Unicode is none of Java.
        assertThat(refusal("a\u00A0= 1").position()).isEqualTo(1);
    }

    @Test
    void shouldParseAndEvaluateLongChainsWithoutDepth() throws SelectorSyntaxException {
        int count = 5_000;
        String or = "a = 1" + " OR a = 2".repeat(count);
        String and = "a = 2" + " AND a > 1".repeat(count);
        String sum = "a" + " + 1 - 1".repeat(count) + " = 2";
        String product = "a" + " * 2 / 2".repeat(count) + " = 2";
        for (String text : new String[] {or, and, sum, product}) {
            assertThat(Selector.parse(text).matches(name -> 2)).isTrue();
            assertThat(Selector.parse(text).matches(name -> null)).isFalse();
        }
        String in = "a IN ('x'" + ", 'y'".repeat(count) + ")";
        assertThat(Selector.parse(in).matches(name -> "y")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"(, )", "NOT, ''", "-, ''", "-(, )", "NOT (, )"})
    void shouldLimitTheDepthSoThatNoStackOverflows(String open, String close) {
        for (int depth : new int[] {Selector.DEPTH_MAX + 1, 30_000}) {
            String start = (open + " ").repeat(depth);
            String text = start + "a" + close.repeat(depth);
            assertThat(refusal(text)).hasMessageContaining("deeper than 200 levels");
            assertThat(refusal(text + " = 1")).hasMessageContaining("deeper than 200 levels");
        }
    }

    @Test
    void shouldEvaluateTheDeepestSelectorOnASmallStack() throws Exception {
        int depth = Selector.DEPTH_MAX;
        String text = "(a + ".repeat(depth) + "1" + ")".repeat(depth) + " = " + (depth + 1);
        String logic = "(NOT ".repeat(depth / 2) + "a = 1" + ")".repeat(depth / 2);
        Throwable[] failure = new Throwable[1];
        Thread thread =
                new Thread(
                        null,
                        () -> {
                            try {
                                assertThat(Selector.parse(text).matches(name -> 1)).isTrue();
                                assertThat(Selector.parse(logic).matches(name -> 1)).isTrue();
                            } catch (SelectorSyntaxException | Error e) {
                                failure[0] = e;
                            }
                        },
                        "small-stack",
                        512 * 1024);
        thread.start();
        thread.join();
        assertThat(failure[0]).isNull();
    }

    @Test
    void shouldLimitTheLengthOfTextAndPattern() throws SelectorSyntaxException {
        String fill = " ".repeat(Selector.LENGTH_MAX - 5);
        assertThat(Selector.parse("a = 1" + fill).matches(name -> 1)).isTrue();
        assertThat(refusal("a = 1 " + fill))
                .hasMessageContaining("262145 characters, at most 262144");
        String pattern = "%".repeat(Selector.PATTERN_LENGTH_MAX);
        assertThat(Selector.parse("a LIKE '" + pattern + "'").matches(name -> "x")).isTrue();
        assertThat(refusal("a LIKE '" + pattern + "%'")).hasMessageContaining("at most 4096");
    }

    @Test
    void shouldRefuseLongWrongLiteralsWithoutTryingThemTwice() {
        String digits = "1".repeat(Selector.LENGTH_MAX - 10);
        assertThat(refusal("a = " + digits + "x")).hasMessageContaining("is no number");
        assertThat(refusal("a = " + digits)).hasMessageContaining("range of a long");
        assertThat(refusal("a = ." + digits + "x")).hasMessageContaining("is no number");
        assertThat(refusal("a = 1" + "_".repeat(100_000))).hasMessageContaining("is no number");
    }

    @Test
    void shouldGiveIdentifiersThatNobodyCanChange() throws SelectorSyntaxException {
        Selector selector = Selector.parse("a = 1");
        assertThatThrownBy(() -> selector.identifiers().add("b"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(selector.matches(Collections.<String, Object>singletonMap("a", 1L)::get))
                .isTrue();
        assertThat(selector.matches(Map.<String, Object>of()::get)).isFalse();
    }
}
