package org.metaq.server.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A password as it is stored: salted and hashed so slowly that guessing costs. Written as {@code
 * algorithm$iterations$salt$hash}, the last two in Base64. Immutable: the arrays are its own.
 */
final class PasswordHash {
    static final String ALGORITHM = "PBKDF2WithHmacSHA256";
    static final int ITERATIONS_DEFAULT = 600_000;

    /** Beyond it one login would take seconds. */
    static final int ITERATIONS_MAX = 10_000_000;

    private static final int SALT_LENGTH = 16;
    private static final int HASH_LENGTH = 32;
    private static final int LENGTH_MAX = 64;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    /** Hashes a password with a salt of its own. */
    static PasswordHash of(char[] password, int iterations) {
        byte[] salt = new byte[SALT_LENGTH];
        RANDOM.nextBytes(salt);
        return new PasswordHash(iterations, salt, derive(password, salt, iterations, HASH_LENGTH));
    }

    /** A hash that no password has, which takes as long to compare. */
    static PasswordHash ofNobody(int iterations) {
        byte[] salt = new byte[SALT_LENGTH];
        byte[] hash = new byte[HASH_LENGTH];
        RANDOM.nextBytes(salt);
        RANDOM.nextBytes(hash);
        return new PasswordHash(iterations, salt, hash);
    }

    /**
     * Reads the written form.
     *
     * @throws IllegalArgumentException if it is none; the message does not repeat it
     */
    static PasswordHash parse(String text) {
        String[] parts = text.split("\\$", -1);
        if (parts.length != 4 || !parts[0].equals(ALGORITHM)) {
            throw new IllegalArgumentException(
                    "a password must be " + ALGORITHM + "$iterations$salt$hash");
        }
        int iterations;
        try {
            iterations = Integer.parseInt(parts[1]);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("iterations must be a number", e);
        }
        if (iterations < 1 || iterations > ITERATIONS_MAX) {
            throw new IllegalArgumentException(
                    "iterations = " + iterations + " must be 1.." + ITERATIONS_MAX);
        }
        return new PasswordHash(iterations, bytes("salt", parts[2]), bytes("hash", parts[3]));
    }

    private static byte[] bytes(String name, String base64) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the " + name + " must be Base64", e);
        }
        if (bytes.length < SALT_LENGTH || bytes.length > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "the %s has %d bytes; it must have %d..%d"
                            .formatted(name, bytes.length, SALT_LENGTH, LENGTH_MAX));
        }
        return bytes;
    }

    int iterations() {
        return iterations;
    }

    /** Whether this is the hash of the password; takes as long either way. Slow. */
    boolean matches(char[] password) {
        return MessageDigest.isEqual(hash, derive(password, salt, iterations, hash.length));
    }

    private static byte[] derive(char[] password, byte[] salt, int iterations, int length) {
        PBEKeySpec spec = new PBEKeySpec(password, salt, iterations, length * Byte.SIZE);
        try {
            return SecretKeyFactory.getInstance(ALGORITHM).generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        } finally {
            spec.clearPassword();
        }
    }

    /** The written form. */
    String text() {
        Base64.Encoder base64 = Base64.getEncoder();
        return String.join(
                "$",
                ALGORITHM,
                Integer.toString(iterations),
                base64.encodeToString(salt),
                base64.encodeToString(hash));
    }
}
