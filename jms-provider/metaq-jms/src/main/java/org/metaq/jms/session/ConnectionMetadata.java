package org.metaq.jms.session;

import jakarta.jms.ConnectionMetaData;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** What this provider says of itself. Immutable. */
final class ConnectionMetadata implements ConnectionMetaData {
    static final ConnectionMetadata INSTANCE = new ConnectionMetadata();

    private static final int PROVIDER_MAJOR = 0;
    private static final int PROVIDER_MINOR = 1;
    private static final List<String> JMSX_NAMES =
            List.of("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount");

    private ConnectionMetadata() {}

    @Override
    public String getJMSVersion() {
        return "3.1";
    }

    @Override
    public int getJMSMajorVersion() {
        return 3;
    }

    @Override
    public int getJMSMinorVersion() {
        return 1;
    }

    @Override
    public String getJMSProviderName() {
        return "MetaQ JMS";
    }

    @Override
    public String getProviderVersion() {
        return PROVIDER_MAJOR + "." + PROVIDER_MINOR;
    }

    @Override
    public int getProviderMajorVersion() {
        return PROVIDER_MAJOR;
    }

    @Override
    public int getProviderMinorVersion() {
        return PROVIDER_MINOR;
    }

    @Override
    public Enumeration<String> getJMSXPropertyNames() {
        return Collections.enumeration(JMSX_NAMES);
    }
}
