package org.metaq.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jakarta Messaging 3.1 §3.8.1.1, LIKE. */
class LikePatternTest {

    @ParameterizedTest
    @CsvSource({
        "12%3, 123, true",
        "12%3, 12993, true",
        "12%3, 1234, false",
        "l_se, lose, true",
        "l_se, loose, false",
        "'', '', true",
        "'', a, false",
        "%, '', true",
        "%%, '', true",
        "_%_, a, false",
        "_%_, ab, true",
        "ab%bc, abc, false",
        "ab%bc, abbc, true",
        "%ab%ab%, ab, false",
        "%ab%ab%, xabyabz, true",
        "%_b, ab, true",
        "a%b%c, a1b2c, true",
        "a%b%c, acb, false",
        "'.*', ab, false",
        "_, 😀, true",
        "__, 😀, false",
        "%😀_, x😀y, true"
    })
    void shouldMatch(String pattern, String text, boolean isMatch) {
        assertThat(LikePattern.of(pattern, -1).matches(text)).isEqualTo(isMatch);
    }

    @ParameterizedTest
    @CsvSource({
        "\\_%, \\, _foo, true",
        "\\_%, \\, bar, false",
        "\\%, \\, %, true",
        "\\%, \\, x, false",
        "a\\\\b, \\, a\\b, true",
        "%%, %, '%', true",
        "__, _, _, true",
        "!a, !, a, true"
    })
    void shouldTakeTheMeaningFromWhatIsEscaped(
            String pattern, String escape, String text, boolean isMatch) {
        assertThat(LikePattern.of(pattern, escape.codePointAt(0)).matches(text)).isEqualTo(isMatch);
    }

    @Test
    void shouldTakeALineBreakForAnyCharacterToo() {
        assertThat(LikePattern.of("a_b%", -1).matches("a\nb\r\n")).isTrue();
    }

    @Test
    void shouldRefuseAnEscapeThatNothingFollows() {
        assertThatThrownBy(() -> LikePattern.of("%%%", '%'))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldAgreeWithARegularExpression() {
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            String pattern = randomText(random, "ab_%", 8);
            String text = randomText(random, "ab", 10);
            String regex = pattern.replace("_", ".").replace("%", ".*");
            assertThat(LikePattern.of(pattern, -1).matches(text))
                    .as("'%s' LIKE '%s'", text, pattern)
                    .isEqualTo(Pattern.matches(regex, text));
        }
    }

    @Test
    void shouldAgreeWithARegularExpressionOnSegmentsOfSeveralWords() {
        Random random = new Random(8);
        for (int round = 0; round < 2_000; round++) {
            String text = randomText(random, "ab", 400);
            int from = random.nextInt(text.length() + 1);
            int to = from + random.nextInt(text.length() - from + 1);
            StringBuilder middle = new StringBuilder(text.substring(from, to));
            if (!middle.isEmpty()) {
                middle.setCharAt(random.nextInt(middle.length()), random.nextBoolean() ? '_' : 'a');
            }
            String pattern = "%" + middle + "%";
            String regex = ".*" + middle.toString().replace('_', '.') + ".*";
            assertThat(LikePattern.of(pattern, -1).matches(text))
                    .as("'%s' LIKE '%s'", text, pattern)
                    .isEqualTo(Pattern.matches(regex, text));
        }
    }

    @Test
    void shouldNeedNoMoreTimeForAHostilePattern() {
        String text = "a".repeat(1_000_000);
        LikePattern repeated = LikePattern.of("%a".repeat(2_000) + "b", -1);
        LikePattern late = LikePattern.of("%" + "a_".repeat(2_000) + "b%", -1);
        Assertions.assertTimeout(
                Duration.ofSeconds(20),
                () -> {
                    assertThat(repeated.matches(text)).isFalse();
                    assertThat(late.matches(text)).isFalse();
                    assertThat(late.matches(text + "b")).isTrue();
                });
    }

    private static String randomText(Random random, String alphabet, int lengthMax) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(lengthMax + 1);
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
