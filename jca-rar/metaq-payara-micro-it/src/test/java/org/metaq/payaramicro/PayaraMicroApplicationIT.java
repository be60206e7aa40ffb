package org.metaq.payaramicro;

import java.time.Duration;
import org.metaq.wildfly.ApplicationCases;

/** On Payara Micro. */
class PayaraMicroApplicationIT extends ApplicationCases {
    /** Short, unless tests have all the time: {@code -Dmetaq.full=true}. */
    @Override
    protected Duration outage() {
        return Boolean.getBoolean("metaq.full") ? super.outage() : Duration.ofSeconds(20);
    }

    /** There is no {@code java:comp/DefaultJMSConnectionFactory}. */
    @Override
    protected boolean hasDefaultFactory() {
        return false;
    }

    /** There is no administration. */
    @Override
    protected boolean canDisableTheAdapter() {
        return false;
    }
}
