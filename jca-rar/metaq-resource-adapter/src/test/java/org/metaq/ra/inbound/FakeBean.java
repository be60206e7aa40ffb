package org.metaq.ra.inbound;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.UnavailableException;
import jakarta.resource.spi.endpoint.MessageEndpoint;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/**
 * A message-driven bean as a container deploys it. By default each message is dealt with in a
 * transaction of its own, that is begun in {@code beforeDelivery}. Set up before it is activated;
 * thread-safe afterwards.
 */
final class FakeBean implements MessageEndpointFactory {
    /** What the bean does with a message. */
    @FunctionalInterface
    interface Body {
        void onMessage(Message message) throws JMSException;
    }

    private static final ThreadLocal<@Nullable FakeTransaction> CURRENT = new ThreadLocal<>();

    private final Body body;
    private final AtomicInteger unavailable = new AtomicInteger();
    private final AtomicInteger endpoints = new AtomicInteger();
    private final AtomicInteger deliveries = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostUnderWay = new AtomicInteger();

    /** What was dealt with for good, as {@code text#deliveryCount}. */
    final List<String> done = new CopyOnWriteArrayList<>();

    volatile FakeTransaction.Style style = FakeTransaction.Style.ONE_PHASE;
    volatile boolean isTransacted = true;

    /** The container begins and ends the transaction within onMessage, and not before and after. */
    volatile boolean beginsInside;

    /** The container commits although the bean threw. */
    volatile boolean commitsFailures;

    /** What the transaction manager sets on the resource; 0: nothing. */
    volatile int timeoutSeconds;

    private volatile int lastTimeoutSeconds;

    FakeBean(Body body) {
        this.body = body;
    }

    /** A bean that takes what comes. */
    static FakeBean accepting() {
        return new FakeBean(message -> {});
    }

    FakeBean notTransacted() {
        isTransacted = false;
        return this;
    }

    FakeBean style(FakeTransaction.Style newStyle) {
        style = newStyle;
        return this;
    }

    /** As the bean's context does. */
    static void setRollbackOnly() {
        current().setRollbackOnly();
    }

    /** The transaction of this thread. */
    static FakeTransaction current() {
        FakeTransaction current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException("no transaction");
        }
        return current;
    }

    /** The next so many endpoints are not available. */
    void unavailable(int times) {
        unavailable.set(times);
    }

    int unavailableLeft() {
        return unavailable.get();
    }

    /** Endpoints that were created and not released. */
    int endpoints() {
        return endpoints.get();
    }

    int deliveries() {
        return deliveries.get();
    }

    /** What the resource had for the last transaction. */
    int lastTimeoutSeconds() {
        return lastTimeoutSeconds;
    }

    int underWay() {
        return underWay.get();
    }

    int mostUnderWay() {
        return mostUnderWay.get();
    }

    // ---- MessageEndpointFactory

    @Override
    public MessageEndpoint createEndpoint(XAResource resource) throws UnavailableException {
        if (unavailable.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new UnavailableException("the application is starting");
        }
        endpoints.incrementAndGet();
        return new Endpoint(resource);
    }

    @Override
    public MessageEndpoint createEndpoint(XAResource resource, long timeout)
            throws UnavailableException {
        return createEndpoint(resource);
    }

    @Override
    public boolean isDeliveryTransacted(Method method) {
        return isTransacted;
    }

    @Override
    public String getActivationName() {
        return "orders.war#FakeBean";
    }

    @Override
    public Class<?> getEndpointClass() {
        return FakeBean.class;
    }

    private final class Endpoint implements MessageEndpoint, MessageListener {
        private final @Nullable XAResource resource;
        private @Nullable FakeTransaction transaction;
        private String text = "";

        Endpoint(@Nullable XAResource resource) {
            this.resource = resource;
        }

        @Override
        public void beforeDelivery(Method method) throws ResourceException {
            if (isTransacted && !beginsInside) {
                begin();
            }
        }

        @Override
        public void onMessage(Message message) {
            deliveries.incrementAndGet();
            mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            boolean isNormal = false;
            try {
                if (isTransacted && beginsInside) {
                    begin();
                }
                text = textOf(message);
                body.onMessage(message);
                isNormal = true;
            } catch (JMSException | ResourceException e) {
                throw new IllegalStateException(e);
            } finally {
                underWay.decrementAndGet();
                if (!isNormal && transaction != null && !commitsFailures) {
                    transaction.setRollbackOnly();
                }
                if (isTransacted && beginsInside) {
                    completeInside();
                } else if (isNormal && !isTransacted) {
                    done.add(text);
                }
            }
        }

        private void completeInside() {
            try {
                complete();
            } catch (ResourceException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void afterDelivery() throws ResourceException {
            if (isTransacted && !beginsInside) {
                complete();
            }
        }

        private void begin() throws ResourceException {
            try {
                if (timeoutSeconds > 0) {
                    resource.setTransactionTimeout(timeoutSeconds);
                }
                lastTimeoutSeconds = resource.getTransactionTimeout();
                transaction = FakeTransaction.begin(resource);
                CURRENT.set(transaction);
            } catch (XAException e) {
                throw new ResourceException("begin", e);
            }
        }

        private void complete() throws ResourceException {
            FakeTransaction ended = transaction;
            transaction = null;
            CURRENT.remove();
            try {
                if (ended != null && ended.complete(style)) {
                    done.add(text);
                }
            } catch (XAException e) {
                throw new ResourceException("transaction: " + e.errorCode, e);
            }
        }

        @Override
        public void release() {
            endpoints.decrementAndGet();
        }
    }

    static String textOf(Message message) throws JMSException {
        return message.getBody(String.class) + "#" + message.getIntProperty("JMSXDeliveryCount");
    }
}
