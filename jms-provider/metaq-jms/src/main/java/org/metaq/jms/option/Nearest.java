package org.metaq.jms.option;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds what a mistyped word was meant to be. */
public final class Nearest {
    private Nearest() {}

    /**
     * The candidate with the smallest edit distance, letter case apart; one that starts with the
     * word, or the other way round, goes before; the first of several.
     */
    public static String of(String word, Collection<String> candidates) {
        String lower = word.toLowerCase(Locale.ROOT);
        return candidates.stream()
                .min(Comparator.comparingInt(c -> distance(lower, c.toLowerCase(Locale.ROOT))))
                .orElseThrow();
    }

    private static int distance(String a, String b) {
        if (!a.isEmpty() && (a.startsWith(b) || b.startsWith(a))) {
            return 0;
        }
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
