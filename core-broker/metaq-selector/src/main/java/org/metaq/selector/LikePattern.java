package org.metaq.selector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Pattern of a LIKE: {@code _} stands for any character, {@code %} for any characters, also none.
 * Characters are Unicode code points.
 *
 * <p>The pattern is cut at its {@code %}. The first piece must start the text and the last end it;
 * each between them is searched from where the one before was found, and the first place where it
 * is found is as good as any. So nothing is tried twice, whatever pattern and text are.
 */
final class LikePattern {
    private final List<LikeSegment> segments;

    private LikePattern(List<LikeSegment> segments) {
        this.segments = segments;
    }

    /**
     * Reads a pattern.
     *
     * @param escape code point that takes the meaning from the character behind it, -1 for none
     * @throws IllegalArgumentException if nothing stands behind an escape character
     */
    static LikePattern of(String pattern, int escape) {
        int[] points = pattern.codePoints().toArray();
        List<LikeSegment> segments = new ArrayList<>();
        int[] segment = new int[points.length];
        int length = 0;
        for (int i = 0; i < points.length; i++) {
            int point = points[i];
            if (point == escape) {
                if (++i == points.length) {
                    throw new IllegalArgumentException("nothing stands behind its last escape");
                }
                segment[length++] = points[i];
            } else if (point == '%') {
                segments.add(new LikeSegment(Arrays.copyOf(segment, length)));
                length = 0;
            } else {
                segment[length++] = point == '_' ? LikeSegment.ANY : point;
            }
        }
        segments.add(new LikeSegment(Arrays.copyOf(segment, length)));
        return new LikePattern(List.copyOf(segments));
    }

    boolean matches(String text) {
        LikeSegment first = segments.get(0);
        int from = first.endIfAt(text, 0);
        if (segments.size() == 1 || from < 0) {
            return from == text.length();
        }
        for (LikeSegment middle : segments.subList(1, segments.size() - 1)) {
            from = middle.endOfNext(text, from);
            if (from < 0) {
                return false;
            }
        }
        int last = segments.get(segments.size() - 1).startAtEnd(text);
        return last >= from;
    }
}
