package org.metaq.jms.jndi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.List;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.InvalidNameException;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.spi.NamingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.metaq.common.DestinationKind;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQDestination;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

// The context under test deserializes nothing; looking names up is what it is for.
@SuppressWarnings("BanJNDI")
class MetaQInitialContextFactoryTest {
    private static Hashtable<String, String> environment(String... keysAndValues) {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(
                Context.INITIAL_CONTEXT_FACTORY, MetaQInitialContextFactory.class.getName());
        environment.put(Context.PROVIDER_URL, "metaq://host:1");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            environment.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return environment;
    }

    private static Context context(String... keysAndValues) throws NamingException {
        return new InitialContext(environment(keysAndValues));
    }

    @Test
    void shouldFindWhatPropertiesDefine() throws NamingException {
        Context context =
                context(
                        "connectionFactory.orders/CF", "metaq://other:2?prefetch=5",
                        "connectionFactory.plain", "",
                        "queue.jms/queue/orders", "shop orders",
                        "topic.news", "news");
        assertThat(context.lookup("orders/CF")).isInstanceOf(MetaQConnectionFactory.class);
        assertThat(context.lookup("plain")).isInstanceOf(MetaQConnectionFactory.class);
        assertThat(context.lookup("ConnectionFactory")).isInstanceOf(MetaQConnectionFactory.class);
        assertThat(context.lookup("jms/queue/orders")).isEqualTo(new MetaQQueue("shop orders"));
        assertThat(context.lookup(new CompositeName("jms/queue/orders")))
                .isEqualTo(new MetaQQueue("shop orders"));
        assertThat(context.lookup("news")).isEqualTo(new MetaQTopic("news"));
        assertThat(((Context) context.lookup("")).lookup("news")).isEqualTo(new MetaQTopic("news"));
    }

    @Test
    void shouldGiveFactoriesTheOptionsOfTheEnvironmentThatTheirUrisLack() throws NamingException {
        Context context =
                context(
                        "connectionFactory.a",
                        "metaq://h:1?prefetch=5",
                        "connectionFactory.b",
                        "metaq://h:1",
                        "org.metaq.jms.prefetch",
                        "7",
                        "org.metaq.jms.allowedClasses",
                        "org.acme.*");
        assertThat(context.lookup("a"))
                .hasToString(
                        "MetaQConnectionFactory[metaq://h:1?prefetch=5&allowedClasses=org.acme.*]");
        assertThat(context.lookup("b"))
                .hasToString(
                        "MetaQConnectionFactory[metaq://h:1?prefetch=7&allowedClasses=org.acme.*]");
    }

    @Test
    void shouldReadOptionsOfDestinations() throws NamingException {
        Context context = context("queue.q", "orders?maxDeliveries=3", "topic.t", "a%3Fb");
        assertThat(((MetaQQueue) context.lookup("q")).options()).hasToString("maxDeliveries=3");
        assertThat(((MetaQTopic) context.lookup("t")).name()).isEqualTo("a?b");
        assertThat(((MetaQTopic) context.lookup("dynamicTopics/x?from=earliest")).options())
                .hasToString("from=earliest");
        assertThatThrownBy(() -> context.lookup("dynamicQueues/x?maxDeliveries=many"))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageContaining("maxDeliveries");
    }

    @Test
    void shouldMakeDynamicDestinations() throws NamingException {
        assertThat(context().lookup("dynamicQueues/a/b")).isEqualTo(new MetaQQueue("a/b"));
        assertThat(context().lookup("dynamicTopics/t")).isEqualTo(new MetaQTopic("t"));
        assertThatThrownBy(() -> context().lookup("dynamicQueues/"))
                .isInstanceOf(InvalidNameException.class);
        assertThatThrownBy(() -> context().lookup("dynamicTopics/" + "x".repeat(300)))
                .isInstanceOf(InvalidNameException.class);
    }

    @Test
    void shouldSayWhichNameIsNotDefined() {
        assertThatThrownBy(() -> context().lookup("orders"))
                .isInstanceOf(NameNotFoundException.class)
                .hasMessageContaining("queue.orders");
    }

    @ParameterizedTest
    @CsvSource({
        "java.naming.provider.url,tcp://host",
        "connectionFactory.a,metaq://host?prefech=1",
        "connectionFactory.,metaq://host",
        "queue.a,''",
        "queue.a,x?prefetch=0",
        "org.metaq.jms.prefetch,0",
        "org.metaq.jms.prefech,1",
        "topic.,a"
    })
    void shouldNameTheBadProperty(String key, String value) {
        assertThatThrownBy(() -> context(key, value))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'" + key + "'");
    }

    @Test
    void shouldRefuseANameThatIsDefinedTwice() {
        assertThatThrownBy(() -> context("queue.a", "a", "topic.a", "a"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'a'");
    }

    @Test
    void shouldListWhatIsDefined() throws NamingException {
        Context context = context("queue.a", "x");
        List<String> names = new ArrayList<>();
        for (NameClassPair pair : Collections.list(context.list(""))) {
            names.add(pair.getName() + "=" + pair.getClassName());
        }
        assertThat(names)
                .containsExactlyInAnyOrder(
                        "a=" + MetaQQueue.class.getName(),
                        "ConnectionFactory=" + MetaQConnectionFactory.class.getName());
        assertThat(Collections.list(context.listBindings("")).stream().map(Binding::getObject))
                .contains(new MetaQQueue("x"));
        assertThatThrownBy(() -> context.list("a")).isInstanceOf(NotContextException.class);
        assertThatThrownBy(() -> context.list("b")).isInstanceOf(NameNotFoundException.class);
    }

    @Test
    void shouldRefuseChangesWithAReason() throws NamingException {
        Context context = context("queue.a", "x");
        assertReadOnly(() -> context.bind("b", "x"));
        assertReadOnly(() -> context.rebind("a", "x"));
        assertReadOnly(() -> context.unbind("a"));
        assertReadOnly(() -> context.rename("a", "b"));
        assertReadOnly(() -> context.createSubcontext("c"));
        assertReadOnly(() -> context.destroySubcontext("c"));
        assertThat(context.lookup("a")).isEqualTo(new MetaQQueue("x"));
    }

    private static void assertReadOnly(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(OperationNotSupportedException.class)
                .hasMessageContaining("read-only");
    }

    @ParameterizedTest
    @EnumSource
    void shouldRebuildDestinationsFromReferences(DestinationKind kind) throws Exception {
        MetaQDestination destination = MetaQDestination.of(kind, "a b");
        assertThat(NamingManager.getObjectInstance(destination.getReference(), null, null, null))
                .isEqualTo(destination);
    }

    @Test
    void shouldRebuildTheConnectionFactoryFromItsReference() throws Exception {
        Reference reference = MetaQObjectFactory.referenceOf("metaq://host");
        assertThat(NamingManager.getObjectInstance(reference, null, null, null))
                .isInstanceOf(MetaQConnectionFactory.class);
    }

    @Test
    void shouldLeaveForeignReferencesToOthersAndRefuseBrokenOnes() throws Exception {
        MetaQObjectFactory factory = new MetaQObjectFactory();
        assertThat(factory.getObjectInstance("text", null, null, null)).isNull();
        assertThat(factory.getObjectInstance(new Reference("other.Type"), null, null, null))
                .isNull();
        Reference broken =
                new Reference(
                        MetaQQueue.class.getName(),
                        new StringRefAddr("name", "a"),
                        MetaQObjectFactory.class.getName(),
                        null);
        assertThatThrownBy(() -> factory.getObjectInstance(broken, null, null, null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'kind'");
    }
}
