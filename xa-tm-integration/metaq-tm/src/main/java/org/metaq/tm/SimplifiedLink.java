package org.metaq.tm;

import jakarta.jms.ConnectionMetaData;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/** A link for {@code JMSContext}; its methods throw {@link JMSRuntimeException}. */
final class SimplifiedLink extends Link {
    private final XAJMSContext context;
    private final JMSContext enlisted;
    private final XAResource resource;

    private SimplifiedLink(LinkKey key, XAJMSContext context) {
        super(key);
        this.context = context;
        context.setExceptionListener(this::lost);
        this.enlisted = context.getContext();
        this.resource = context.getXAResource();
    }

    static Link open(XAConnectionFactory factory, LinkKey key) {
        XAJMSContext context =
                key.user() == null
                        ? factory.createXAContext()
                        : factory.createXAContext(key.user(), key.password());
        try {
            return new SimplifiedLink(key, context);
        } catch (JMSRuntimeException e) {
            context.close();
            throw e;
        }
    }

    @Override
    Object enlisted() {
        return enlisted;
    }

    @Override
    XAResource resource() {
        return resource;
    }

    @Override
    Object ordinary(int mode) {
        return context.createContext(mode);
    }

    @Override
    void start() {
        context.start();
    }

    /** As it was when it was new; an application may have changed when it starts by itself. */
    @Override
    void stop() {
        context.stop();
        enlisted.setAutoStart(true);
    }

    @Override
    ConnectionMetaData metaData() {
        return context.getMetaData();
    }

    @Override
    @Nullable String clientId() {
        return context.getClientID();
    }

    @Override
    void disconnect() {
        context.close();
    }
}
