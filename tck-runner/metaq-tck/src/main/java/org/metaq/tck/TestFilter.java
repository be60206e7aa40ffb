package org.metaq.tck;

import java.util.List;
import java.util.regex.Pattern;

/** Which tests the user wants. Immutable. */
final class TestFilter {
    private final List<Pattern> patterns;

    /**
     * A filter.
     *
     * @param patterns of {@link TestId#toString}: one with {@code *} (any characters) must match
     *     the whole, another a part; none lets all tests through
     */
    TestFilter(List<String> patterns) {
        this.patterns = patterns.stream().map(TestFilter::compile).toList();
    }

    private static Pattern compile(String text) {
        StringBuilder expression = new StringBuilder();
        for (String part : text.split("\\*", -1)) {
            expression.append(expression.isEmpty() ? "" : ".*").append(Pattern.quote(part));
        }
        String any = text.contains("*") ? "" : ".*";
        return Pattern.compile(any + expression + any);
    }

    boolean isAll() {
        return patterns.isEmpty();
    }

    boolean accepts(String test) {
        return isAll() || patterns.stream().anyMatch(p -> p.matcher(test).matches());
    }
}
