package org.metaq.mdbbench;

import java.util.Locale;

/** Whose messages the beans get. */
enum Provider {
    /** Our resource adapter and a broker in a process of its own. */
    METAQ,
    /** The broker in WildFly itself. */
    ARTEMIS;

    /** Its name in the server: of the resource adapter, and in JNDI. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Name of its application. */
    String application() {
        return "bench-" + word();
    }
}
