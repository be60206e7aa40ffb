package org.metaq.store.journal;

/** What applying a record gave; the state machine's own types. */
public interface Result {}
