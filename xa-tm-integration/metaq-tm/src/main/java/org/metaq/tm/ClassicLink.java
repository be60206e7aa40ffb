package org.metaq.tm;

import jakarta.jms.ConnectionMetaData;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XASession;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/** A link for {@code Connection} and {@code Session}. */
final class ClassicLink extends Link {
    private final XAConnection connection;
    private final Session session;
    private final XAResource resource;

    private ClassicLink(LinkKey key, XAConnection connection) throws JMSException {
        super(key);
        this.connection = connection;
        connection.setExceptionListener(this::lost);
        XASession enlistable = connection.createXASession();
        this.session = enlistable.getSession();
        this.resource = enlistable.getXAResource();
    }

    static Link open(XAConnectionFactory factory, LinkKey key) throws JMSException {
        XAConnection connection =
                key.user() == null
                        ? factory.createXAConnection()
                        : factory.createXAConnection(key.user(), key.password());
        try {
            return new ClassicLink(key, connection);
        } catch (JMSException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    Object enlisted() {
        return session;
    }

    @Override
    XAResource resource() {
        return resource;
    }

    @Override
    Object ordinary(int mode) throws JMSException {
        return connection.createSession(mode);
    }

    @Override
    void start() throws JMSException {
        connection.start();
    }

    @Override
    void stop() throws JMSException {
        connection.stop();
    }

    @Override
    ConnectionMetaData metaData() throws JMSException {
        return connection.getMetaData();
    }

    @Override
    @Nullable String clientId() throws JMSException {
        return connection.getClientID();
    }

    @Override
    void disconnect() throws JMSException {
        connection.close();
    }
}
