package org.metaq.ra.outbound;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionFactory;
import java.util.concurrent.Callable;

/** What an application causes; public, as its class loader is another one. */
public final class OpensConnection implements Callable<ManagedConnection> {
    private final ManagedConnectionFactory factory;

    /** From a factory of the server. */
    public OpensConnection(ManagedConnectionFactory factory) {
        this.factory = factory;
    }

    @Override
    public ManagedConnection call() throws ResourceException {
        return factory.createManagedConnection(null, null);
    }
}
