package org.metaq.selector;

import java.util.HashMap;
import java.util.Map;

/**
 * What stands between two {@code %} of a pattern: characters and {@code _}. Immutable.
 *
 * <p>To find it, each of its characters has a bit, which is set while the text read last matches
 * the segment up to that character. So a search looks once at each character of the text, and at 64
 * of the segment at a time.
 */
final class LikeSegment {
    /** Where any character may stand. */
    static final int ANY = -1;

    private final int[] points;
    private final int words;

    /** Where a character may stand, by character. */
    private final Map<Integer, long[]> places = new HashMap<>();

    /** Where a character that has no places of its own may stand. */
    private final long[] placesOfAny;

    /**
     * @param points code points, {@link #ANY} among them
     */
    LikeSegment(int[] points) {
        this.points = points;
        words = (points.length + Long.SIZE - 1) / Long.SIZE;
        placesOfAny = new long[words];
        for (int i = 0; i < points.length; i++) {
            if (points[i] == ANY) {
                addPlace(placesOfAny, i);
            }
        }
        for (int i = 0; i < points.length; i++) {
            if (points[i] != ANY) {
                addPlace(places.computeIfAbsent(points[i], point -> placesOfAny.clone()), i);
            }
        }
    }

    private static void addPlace(long[] bits, int index) {
        bits[index / Long.SIZE] |= 1L << (index % Long.SIZE);
    }

    /** Index behind the segment if it stands at {@code from}, else -1. */
    int endIfAt(String text, int from) {
        int at = from;
        for (int point : points) {
            if (at == text.length()) {
                return -1;
            }
            int found = text.codePointAt(at);
            if (point != ANY && point != found) {
                return -1;
            }
            at += Character.charCount(found);
        }
        return at;
    }

    /** Index of the segment if it stands at the end of the text, else -1. */
    int startAtEnd(String text) {
        int at = text.length();
        for (int i = points.length - 1; i >= 0; i--) {
            if (at == 0) {
                return -1;
            }
            int found = text.codePointBefore(at);
            if (points[i] != ANY && points[i] != found) {
                return -1;
            }
            at -= Character.charCount(found);
        }
        return at;
    }

    /** Index behind the first place at or after {@code from} where the segment stands, else -1. */
    int endOfNext(String text, int from) {
        if (words == 0) {
            return from;
        }
        long[] matched = new long[words];
        long last = 1L << ((points.length - 1) % Long.SIZE);
        for (int at = from; at < text.length(); ) {
            int found = text.codePointAt(at);
            at += Character.charCount(found);
            long[] allowed = places.getOrDefault(found, placesOfAny);
            long carry = 1;
            for (int word = 0; word < words; word++) {
                long grown = (matched[word] << 1) | carry;
                carry = matched[word] >>> (Long.SIZE - 1);
                matched[word] = grown & allowed[word];
            }
            if ((matched[words - 1] & last) != 0) {
                return at;
            }
        }
        return -1;
    }
}
