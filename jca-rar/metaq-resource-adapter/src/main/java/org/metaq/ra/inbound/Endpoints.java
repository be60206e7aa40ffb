package org.metaq.ra.inbound;

import jakarta.jms.MessageListener;
import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.ResourceAdapterInternalException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.metaq.ra.broker.BrokerAccess;
import org.metaq.ra.broker.BrokerSource;

/**
 * All message endpoints of a resource adapter: from its start to its stop. Thread-safe: guarded by
 * itself, not while endpoints begin or end.
 */
public final class Endpoints {
    /** For the end of an activation, and of all of them together. */
    private static final long STOP_MAX_MS = 10_000;

    private final long stopMaxMs;
    private final BootstrapContext context;
    private final BrokerSource broker;

    /** Jakarta Connectors 2.1 §13.4.3: a factory stands for one activation. */
    private final Map<MessageEndpointFactory, Active> active = new HashMap<>();

    private final Schedule schedule;
    private boolean isStopped;

    private record Active(Activation activation, EndpointControl control) {}

    /**
     * None yet.
     *
     * @param context of the resource adapter's start
     * @param broker for endpoints that name no other
     * @throws ResourceAdapterInternalException if the server has no timer
     */
    public Endpoints(BootstrapContext context, BrokerSource broker)
            throws ResourceAdapterInternalException {
        this(context, broker, STOP_MAX_MS);
    }

    /** With another time to stop in. */
    Endpoints(BootstrapContext context, BrokerSource broker, long stopMaxMs)
            throws ResourceAdapterInternalException {
        this.context = context;
        this.broker = broker;
        this.stopMaxMs = stopMaxMs;
        // now: later its thread would take over, and keep, what belongs to an application
        this.schedule = Schedule.of(context);
    }

    /**
     * Begins to deliver to an endpoint. Returns at once, whether or not there is a broker: the
     * connection is made in the background, and made anew whenever it is lost. Names are looked up
     * now, by this thread.
     *
     * @param spec a {@link MetaQActivationSpec}
     * @throws jakarta.resource.spi.InvalidPropertyException if properties of it are wrong
     * @throws ResourceException if the spec is none of ours, a name leads nowhere, or the factory
     *     is active already; names the endpoint
     */
    public void activate(MessageEndpointFactory factory, ActivationSpec spec)
            throws ResourceException {
        String endpointClass = endpointClass(factory);
        String who = "endpoint " + endpointClass + " (" + factory.getActivationName() + ")";
        if (!(spec instanceof MetaQActivationSpec ours)) {
            throw new NotSupportedException(
                    who + ": the activation spec is a " + spec.getClass().getName());
        }
        boolean isTransacted = isTransacted(factory, who);
        EndpointTarget target = new TargetLookup(who, broker).resolve(ours, isTransacted);
        Active begun;
        synchronized (this) {
            if (isStopped || active.containsKey(factory)) {
                throw new ResourceException(
                        who + (isStopped ? ": the resource adapter has stopped" : " is active"));
            }
            Activation activation =
                    new Activation(
                            who + " of " + target.destination(),
                            ours,
                            target,
                            factory,
                            isTransacted,
                            context.getWorkManager(),
                            schedule);
            begun =
                    new Active(
                            activation,
                            new EndpointControl(
                                    activation,
                                    endpointClass,
                                    String.valueOf(factory.getActivationName())));
            active.put(factory, begun);
        }
        begun.control().register();
        begun.activation().start();
    }

    private static String endpointClass(MessageEndpointFactory factory) {
        Class<?> type = factory.getEndpointClass();
        return type == null ? factory.getClass().getName() : type.getName();
    }

    private static boolean isTransacted(MessageEndpointFactory factory, String who)
            throws ResourceException {
        try {
            return factory.isDeliveryTransacted(EndpointDelivery.ON_MESSAGE);
        } catch (NoSuchMethodException e) {
            throw new NotSupportedException(who + " is no " + MessageListener.class.getName(), e);
        }
    }

    /**
     * Ends what {@link #activate} began; does nothing if it did not. Waits at most ten seconds for
     * messages that are being delivered, whatever the broker does.
     */
    public void deactivate(MessageEndpointFactory factory, ActivationSpec spec) {
        Active ended;
        synchronized (this) {
            ended = active.remove(factory);
        }
        if (ended != null) {
            end(List.of(ended));
        }
    }

    /** All together have the time that one has. */
    private void end(List<Active> ended) {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(stopMaxMs);
        ended.forEach(one -> one.activation().beginStop(deadlineNs));
        for (Active one : ended) {
            one.activation().awaitStop(deadlineNs);
            one.control().unregister();
        }
    }

    /** Ends all of them, within ten seconds, and the timer; nothing can be activated any more. */
    public void stop() {
        List<Active> ended;
        synchronized (this) {
            isStopped = true;
            ended = new ArrayList<>(active.values());
            active.clear();
        }
        end(ended);
        schedule.stop();
    }

    /** When and why something failed last, of each endpoint. */
    synchronized List<String> lastFailures() {
        return active.values().stream()
                .map(one -> one.activation().counts().lastFailure())
                .toList();
    }

    /** Where the endpoints are. */
    synchronized List<Activation.State> states() {
        return active.values().stream().map(one -> one.activation().state()).toList();
    }

    /** The brokers of all endpoints, as they were looked up: for recovery. */
    public synchronized List<BrokerAccess> brokers() {
        return active.values().stream()
                .map(one -> one.activation().target().broker())
                .distinct()
                .toList();
    }
}
