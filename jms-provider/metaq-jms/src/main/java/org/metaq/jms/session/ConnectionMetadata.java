package org.metaq.jms.session;

import jakarta.jms.ConnectionMetaData;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** What this provider says of itself. Immutable. */
final class ConnectionMetadata implements ConnectionMetaData {
    static final ConnectionMetadata INSTANCE = new ConnectionMetadata(ProviderVersion.load());

    private static final List<String> JMSX_NAMES =
            List.of("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount");

    private final ProviderVersion version;

    private ConnectionMetadata(ProviderVersion version) {
        this.version = version;
    }

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
        return version.text();
    }

    @Override
    public int getProviderMajorVersion() {
        return version.major();
    }

    @Override
    public int getProviderMinorVersion() {
        return version.minor();
    }

    @Override
    public Enumeration<String> getJMSXPropertyNames() {
        return Collections.enumeration(JMSX_NAMES);
    }
}
