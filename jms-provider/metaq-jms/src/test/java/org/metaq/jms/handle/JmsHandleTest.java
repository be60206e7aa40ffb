package org.metaq.jms.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JmsHandleTest {
    private final List<String> calls = new ArrayList<>();
    private boolean refusesClose;

    /** Notes the calls that it lets through; closing it notes "ended". */
    private final class Noting extends JmsHandle {
        Noting(Class<?> type, Object target, JmsHandle parent) {
            super(type, target, parent);
        }

        @Override
        protected JmsHandle child(Class<?> childType, Object made) {
            return new Noting(childType, made, this);
        }

        @Override
        protected Object call(Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("commit")) {
                throw new IllegalStateException("not here");
            }
            return super.call(method, arguments);
        }

        @Override
        protected void ended() throws JMSException {
            if (refusesClose) {
                throw new IllegalStateException("a listener must not close it");
            }
            closeChildren();
            calls.add("ended " + type().getSimpleName());
            super.ended();
        }
    }

    /** An object of the provider: notes calls, makes further ones, throws for a selector. */
    private <T> T provider(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            calls.add(type.getSimpleName() + "." + method.getName());
                            if (method.getName().equals("createConsumer")
                                    && arguments.length == 2) {
                                throw new InvalidSelectorException("no selector");
                            }
                            if (method.getName().equals("setPriority")) {
                                return proxy;
                            }
                            return method.getName().startsWith("create")
                                    ? provider(method.getReturnType())
                                    : null;
                        }));
    }

    private Session session() {
        return new Noting(Session.class, provider(Session.class), null).as(Session.class);
    }

    private JMSContext context() {
        return new Noting(JMSContext.class, provider(JMSContext.class), null).as(JMSContext.class);
    }

    @Test
    void shouldCloseWhatItMadeFirstAndAllOnlyOnce() throws Exception {
        Session session = session();
        MessageConsumer consumer = session.createConsumer(null);
        session.close();
        session.close();
        consumer.close();
        assertThat(calls)
                .containsExactly(
                        "Session.createConsumer",
                        "ended MessageConsumer",
                        "MessageConsumer.close",
                        "ended Session");
        assertThatThrownBy(consumer::receive)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("MessageConsumer is closed");
    }

    @Test
    void shouldStayOpenIfItsCloseIsRefused() throws Exception {
        Session session = session();
        refusesClose = true;
        assertThatThrownBy(session::close).isInstanceOf(IllegalStateException.class);
        refusesClose = false;
        session.createMessage();
        session.close();
        assertThatThrownBy(session::createMessage).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldThrowTheKindThatTheMethodDeclares() throws Exception {
        assertThatThrownBy(() -> session().commit()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> context().commit())
                .isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> session().createConsumer(null, "?"))
                .isInstanceOf(InvalidSelectorException.class);
    }

    @Test
    void shouldNotLeadPastItself() {
        JMSProducer producer = context().createProducer();
        assertThat(producer.setPriority(1)).isSameAs(producer);
    }

    @Test
    void shouldBeEqualToItselfOnly() {
        Session session = session();
        assertThat(Set.of(session)).contains(session).doesNotContain(session());
        assertThat(session.toString()).contains("Noting");
    }
}
