package org.metaq.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random selectors against a second opinion, and random text against the parser. */
class SelectorPropertyTest {
    private static final String[] SOUP = {
        "a",
        "b",
        "JMSType",
        "JMSPriority",
        "JMSfoo",
        "1",
        "0x",
        "7.",
        "1e",
        "'x'",
        "'",
        "''",
        "(",
        ")",
        ",",
        "+",
        "-",
        "*",
        "/",
        "=",
        "<>",
        "<",
        "<=",
        ">",
        ">=",
        "NULL",
        "TRUE",
        "false",
        "NOT",
        "AND",
        "or",
        "BETWEEN",
        "LIKE",
        "IN",
        "IS",
        "ESCAPE",
        "'!'",
        "%",
        ".",
        "\uD800",
        "\u0000",
        "é",
        "😀"
    };

    private static final String[] CHARACTERS = {
        "a", "'", "(", ")", "0", "x", "e", ".", "_", "-", "<", ">", "=", " ", "N", "O", "T",
        "\uDC00"
    };

    private static Map<String, Object> randomMessage(Random random) {
        RandomSelector values = new RandomSelector(random);
        Map<String, Object> message = new HashMap<>();
        for (String name : RandomSelector.NAMES) {
            message.put(name, values.randomValue());
        }
        return message;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldAgreeWithASecondOpinion(long seed) throws SelectorSyntaxException {
        Random random = new Random(seed);
        int[] counts = new int[3];
        for (int round = 0; round < 2_000; round++) {
            RandomSelector.Part part = new RandomSelector(random).condition(random.nextInt(4));
            Selector selector = Selector.parse(part.text());
            Selector negated = Selector.parse("NOT (" + part.text() + ")");
            for (int i = 0; i < 4; i++) {
                Map<String, Object> message = randomMessage(random);
                Object opinion = part.opinion().apply(message);
                Truth truth =
                        opinion == null ? Truth.UNKNOWN : Truth.of(Boolean.TRUE.equals(opinion));
                boolean agrees =
                        selector.matches(message::get) == (truth == Truth.TRUE)
                                && negated.matches(message::get) == (truth == Truth.FALSE);
                if (!agrees) {
                    fail("seed %d: %s of %s is not %s", seed, part.text(), message, truth);
                }
                counts[truth.ordinal()]++;
            }
        }
        // Each of the three must be worth something.
        for (int count : counts) {
            assertThat(count).isGreaterThan(500);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldRefuseTokenSoupWithNothingButASyntaxError(long seed) {
        Random random = new Random(seed);
        int parsed = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) {
                text.append(SOUP[random.nextInt(SOUP.length)]);
                text.append(random.nextInt(4) == 0 ? "" : " ");
            }
            parsed += tryOut(text.toString(), random) ? 1 : 0;
        }
        assertThat(parsed).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldRefuseDamagedSelectorsWithNothingButASyntaxError(long seed) {
        Random random = new Random(seed);
        int parsed = 0;
        for (int round = 0; round < 5_000; round++) {
            StringBuilder text = new StringBuilder(new RandomSelector(random).condition(2).text());
            for (int i = 1 + random.nextInt(2); i > 0; i--) {
                int at = random.nextInt(text.length() + 1);
                int end = Math.min(text.length(), at + random.nextInt(3));
                text.replace(at, end, CHARACTERS[random.nextInt(CHARACTERS.length)]);
            }
            parsed += tryOut(text.toString(), random) ? 1 : 0;
        }
        assertThat(parsed).isBetween(100, 4_900);
    }

    /** Whether it is a selector; if so, evaluates it, else looks at the refusal. */
    private static boolean tryOut(String text, Random random) {
        try {
            Selector selector = Selector.parse(text);
            Set<String> asked = new TreeSet<>();
            Map<String, Object> message = randomMessage(random);
            boolean isSelected =
                    selector.matches(
                            name -> {
                                asked.add(name);
                                return message.get(name);
                            });
            assertThat(selector.matches(message::get)).isEqualTo(isSelected);
            assertThat(selector.identifiers()).containsAll(asked);
            return true;
        } catch (SelectorSyntaxException e) {
            if (e.position() < 0 || e.position() > text.length()) {
                fail("position %d in: %s", e.position(), text);
            }
            return false;
        }
    }
}
