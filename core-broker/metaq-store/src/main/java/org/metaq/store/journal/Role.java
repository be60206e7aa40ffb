package org.metaq.store.journal;

/** What this broker is to its journal. */
public sealed interface Role {
    /** It may append, in this epoch. */
    record Leading(long epoch) implements Role {}

    /** It applies what another appends; {@code leader} is its address, empty if not known. */
    record Following(String leader) implements Role {}
}
