package org.metaq.openliberty;

import java.time.Duration;
import org.metaq.wildfly.ApplicationCases;

/** On Open Liberty. */
class OpenLibertyApplicationIT extends ApplicationCases {
    /** Short, unless tests have all the time: {@code -Dmetaq.full=true}. */
    @Override
    protected Duration outage() {
        return Boolean.getBoolean("metaq.full") ? super.outage() : Duration.ofSeconds(20);
    }
}
