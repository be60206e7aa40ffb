package org.metaq.server.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The users of one reading of the file, and which credentials of theirs were verified: ten thousand
 * connections of an application must not cost ten thousand slow hashes. What is kept is a keyed
 * hash of user and password, under a key that this process never writes anywhere; it goes with the
 * reading, so that a removed user is not remembered. Thread-safe: its own monitor, a leaf.
 */
final class KnownUsers {
    private static final String MAC = "HmacSHA256";
    private static final int KEY_LENGTH = 32;

    /** At about 200 bytes each. */
    static final int VERIFIED_MAX = 10_000;

    private final Map<String, PasswordHash> users;
    private final PasswordHash nobody;
    private final SecretKeySpec key;

    /** In the order of use, the oldest first. */
    private final Map<String, Boolean> verified = new LinkedHashMap<>(16, 0.75f, true);

    KnownUsers(Map<String, PasswordHash> users) {
        this.users = Map.copyOf(users);
        int iterations =
                users.values().stream()
                        .mapToInt(PasswordHash::iterations)
                        .max()
                        .orElse(PasswordHash.ITERATIONS_DEFAULT);
        this.nobody = PasswordHash.ofNobody(iterations);
        byte[] secret = new byte[KEY_LENGTH];
        new SecureRandom().nextBytes(secret);
        this.key = new SecretKeySpec(secret, MAC);
    }

    int count() {
        return users.size();
    }

    /** Whether these credentials were verified before and are still remembered. Fast. */
    boolean isVerified(String user, String password) {
        String entry = entry(user, password);
        synchronized (this) {
            return verified.get(entry) != null;
        }
    }

    /**
     * Verifies credentials, and remembers them if they are right. Slow, and as slow for a user that
     * is not there.
     */
    boolean verify(String user, String password) {
        PasswordHash stored = users.get(user);
        boolean isRight =
                (stored == null ? nobody : stored).matches(password.toCharArray())
                        && stored != null;
        if (isRight) {
            String entry = entry(user, password);
            synchronized (this) {
                verified.put(entry, true);
                if (verified.size() > VERIFIED_MAX) {
                    verified.remove(verified.keySet().iterator().next());
                }
            }
        }
        return isRight;
    }

    private String entry(String user, String password) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            mac.update(user.getBytes(StandardCharsets.UTF_8));
            // no UTF-8 holds it, so that user and password cannot be divided otherwise
            mac.update((byte) 0xFF);
            byte[] hash = mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + MAC, e);
        }
    }
}
