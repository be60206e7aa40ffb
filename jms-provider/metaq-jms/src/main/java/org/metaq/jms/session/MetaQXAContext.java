package org.metaq.jms.session;

import jakarta.jms.JMSContext;
import jakarta.jms.XAJMSContext;
import javax.transaction.xa.XAResource;

/** JMSContext whose work can belong to a distributed transaction. Confined as its session is. */
final class MetaQXAContext extends MetaQContext implements XAJMSContext {
    private final MetaQXASession session;

    MetaQXAContext(SharedConnection shared, MetaQXASession session) {
        super(shared, session);
        this.session = session;
    }

    @Override
    public JMSContext getContext() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return session.getXAResource();
    }
}
