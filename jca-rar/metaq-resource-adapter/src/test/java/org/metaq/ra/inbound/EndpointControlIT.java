package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** Endpoints as operators see them. */
class EndpointControlIT extends EndpointTestBase {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private static EndpointMBean control(String more) throws Exception {
        ObjectName name =
                new ObjectName(
                        "org.metaq.ra:type=Endpoint,name=" + FakeBean.class.getName() + more);
        assertThat(SERVER.isRegistered(name)).isTrue();
        return JMX.newMBeanProxy(SERVER, name, EndpointMBean.class);
    }

    @Test
    void shouldHaveATimerThatKeepsNoApplication() throws Exception {
        Thread current = Thread.currentThread();
        ClassLoader given = current.getContextClassLoader();
        ClassLoader application = new ClassLoader(given) {};
        current.setContextClassLoader(application);
        Endpoints adapter = newAdapter();
        try {
            activate(adapter, FakeBean.accepting(), spec(queue));
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().equals("container-timer"))
                    .isNotEmpty()
                    .noneMatch(thread -> thread.getContextClassLoader() == application);
        } finally {
            current.setContextClassLoader(given);
            adapter.stop();
        }
    }

    @Test
    void shouldTellWhatAnEndpointDoes() throws Exception {
        MetaQActivationSpec spec = spec(queue);
        spec.setMaxSessions(3);
        FakeBean bean =
                activate(
                        new FakeBean(
                                message -> {
                                    if (message.getIntProperty("JMSXDeliveryCount") == 1) {
                                        throw new IllegalStateException("at first");
                                    }
                                }),
                        spec);
        EndpointMBean control = control("");
        eventually(() -> assertThat(control.getState()).isEqualTo("RUNNING"));
        send(queue, "a");
        awaitDone(bean, "a#2");
        eventually(() -> assertThat(control.getDeliveredCount()).isEqualTo(1));
        assertThat(control.getFailedCount()).isEqualTo(1);
        assertThat(control.getFailuresInARow()).isZero();
        assertThat(control.getLastFailure()).contains("IllegalStateException: at first");
        assertThat(control.getSessionCount()).isEqualTo(3);
        assertThat(control.getBreakerState()).isEqualTo("CLOSED");
        assertThat(control.getDestination()).isEqualTo(queue.toString());
        assertThat(control.getBroker()).isEqualTo(uri());
        assertThat(control.getEndpointClass()).isEqualTo(FakeBean.class.getName());
        assertThat(control.getActivationName()).isEqualTo("orders.war#FakeBean");
        eventually(() -> assertThat(control.getBusySessionCount()).isZero());
    }

    @Test
    void shouldDeliverNothingWhilePausedAndLeaveTheMessagesToOthers() throws Exception {
        FakeBean bean = activate(FakeBean.accepting(), spec(queue));
        EndpointMBean control = control("");
        control.pause();
        eventually(() -> assertThat(control.getState()).isEqualTo("PAUSED"));
        send(queue, "a", "b");
        assertThat(take(queue, 1).get(0).getBody(String.class)).isEqualTo("a");
        assertThat(bean.deliveries()).isZero();
        control.resume();
        awaitDone(bean, "b#1");
        assertThat(control.getState()).isEqualTo("RUNNING");
    }

    @Test
    void shouldShowEachActivationOfABeanAndNoneThatHasEnded() throws Exception {
        FakeBean first = activate(FakeBean.accepting(), spec(queue));
        FakeBean second = activate(FakeBean.accepting(), spec(queue));
        control("");
        control(",instance=2");
        endpoints.deactivate(first, spec(queue));
        endpoints.deactivate(second, spec(queue));
        assertThat(SERVER.queryNames(new ObjectName("org.metaq.ra:type=Endpoint,*"), null))
                .isEmpty();
    }
}
