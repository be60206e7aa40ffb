package org.metaq.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tests that are not run, each with its reason. The file has one a line, the test's name as {@link
 * TestId#toString} gives it and, after white space, the reason; empty lines and lines that start
 * with {@code #} mean nothing. Immutable.
 */
final class Exclusions {
    private final Map<String, String> reasons;

    private Exclusions(Map<String, String> reasons) {
        this.reasons = reasons;
    }

    /**
     * Reads the file.
     *
     * @throws TckException if it cannot be read, or a line has no reason
     */
    static Exclusions read(Path file) throws TckException {
        Map<String, String> reasons = new LinkedHashMap<>();
        int number = 0;
        try {
            for (String line : Files.readAllLines(file)) {
                number++;
                String text = line.strip();
                if (text.isEmpty() || text.startsWith("#")) {
                    continue;
                }
                String[] words = text.split("\\s+", 2);
                if (words.length < 2) {
                    throw new TckException(
                            file
                                    + " line "
                                    + number
                                    + ": '"
                                    + text
                                    + "' is excluded without a reason; write it behind the name");
                }
                reasons.put(words[0], words[1]);
            }
        } catch (IOException e) {
            throw new TckException("cannot read the exclusions: " + e, e);
        }
        return new Exclusions(reasons);
    }

    boolean contains(TestId test) {
        return reasons.containsKey(test.toString());
    }

    /** Reasons by test, in the order of the file. */
    Map<String, String> reasons() {
        return Map.copyOf(reasons);
    }
}
