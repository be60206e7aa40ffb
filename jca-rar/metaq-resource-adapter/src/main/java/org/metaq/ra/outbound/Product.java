package org.metaq.ra.outbound;

import jakarta.jms.ConnectionMetaData;
import jakarta.jms.JMSException;
import jakarta.resource.spi.ManagedConnectionMetaData;

/** What a server shows about a managed connection. */
record Product(String name, String version, String user) implements ManagedConnectionMetaData {
    static Product of(ConnectionMetaData provider, String user) throws JMSException {
        return new Product(provider.getJMSProviderName(), provider.getProviderVersion(), user);
    }

    @Override
    public String getEISProductName() {
        return name;
    }

    @Override
    public String getEISProductVersion() {
        return version;
    }

    /** No limit that a server would have to know. */
    @Override
    public int getMaxConnections() {
        return 0;
    }

    @Override
    public String getUserName() {
        return user;
    }
}
