package org.metaq.openliberty;

import org.metaq.wildfly.SelfCheckCases;

/** On Open Liberty. */
class OpenLibertySelfCheckIT extends SelfCheckCases {
    /** No test here: no factory in the server's configuration is without transactions. */
    @Override
    protected void shouldSayThatThePoolDoesNotEnlist() {}
}
