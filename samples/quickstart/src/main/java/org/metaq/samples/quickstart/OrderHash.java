package org.metaq.samples.quickstart;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** What an order's text is compared by, and the hashes of all orders by their number. */
final class OrderHash {
    private long[] hashes = new long[1024];
    private int count;

    /** First 64 bits of the text's SHA-256. */
    static long of(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /**
     * Adds the next order.
     *
     * @return its number; the first is 1
     */
    int add(String text) {
        if (count == hashes.length) {
            hashes = Arrays.copyOf(hashes, count * 2);
        }
        hashes[count++] = of(text);
        return count;
    }

    int count() {
        return count;
    }

    /** Hash of an order, 1..count. */
    long get(int number) {
        return hashes[number - 1];
    }
}
