package org.metaq.crash;

import java.util.Locale;

/** What happens when the point is reached. */
enum Blow {
    /** The worker is killed. */
    WORKER,
    /** The broker is killed. */
    BROKER,
    /** The connections between them break. */
    CUT,
    /** The worker's next bytes break their connection instead of coming through. */
    CUT_REQUEST,
    /** The broker's next bytes break their connection instead of coming through. */
    CUT_REPLY;

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Blow of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    boolean isKill() {
        return this == WORKER || this == BROKER;
    }
}
