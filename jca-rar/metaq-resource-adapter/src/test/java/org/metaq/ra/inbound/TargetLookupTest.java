package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.resource.ResourceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.jms.ConnectionUri;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;
import org.metaq.jms.session.EndpointSubscription;
import org.metaq.ra.broker.BrokerAccess;
import org.metaq.ra.broker.BrokerSource;

class TargetLookupTest {
    private static final BrokerAccess ADAPTERS =
            new BrokerAccess("metaq://adapter:1?maxDeliveries=7", "ann", "pw");

    private final MetaQActivationSpec spec = new MetaQActivationSpec();

    @BeforeEach
    void install() {
        FakeNaming.install();
    }

    @AfterEach
    void uninstall() {
        FakeNaming.uninstall();
    }

    private EndpointTarget resolve() throws ResourceException {
        return new TargetLookup("endpoint Bean", () -> ADAPTERS).resolve(spec, true);
    }

    private void name(String type, String name) {
        spec.setDestinationType(type);
        spec.setDestination(name);
    }

    /** As the target connects. */
    private ConnectionUri uri() throws ResourceException {
        MetaQConnectionFactory factory = resolve().connectionFactory();
        return ConnectionUri.parse(TargetLookup.uriOf(factory));
    }

    private record ForeignQueue(String getQueueName) implements Queue {}

    private record Both(String getQueueName, String getTopicName) implements Queue, Topic {}

    private record Pool(BrokerAccess brokerAccess) implements BrokerSource {}

    @Test
    void shouldUseTheAdaptersBrokerAndItsOwnDefaults() throws Exception {
        name("Queue", "orders");
        assertThat(resolve().broker()).isEqualTo(ADAPTERS);
        assertThat(uri().user()).isEqualTo("ann");
        assertThat(uri().password()).isEqualTo("pw");
        assertThat(uri().prefetch()).isEqualTo(4);
        assertThat(uri().redelivery())
                .containsEntry("maxDeliveries", "7")
                .containsEntry("redeliveryDelay", "1000")
                .containsEntry("redeliveryBackOff", "2.0");
    }

    @Test
    void shouldPreferTheNameToTheActivationAndThatToTheUri() throws Exception {
        name("Queue", "orders?prefetch=3");
        spec.setPrefetch(4);
        spec.setMaxDeliveries(5);
        EndpointTarget target = resolve();
        assertThat(target.destination()).isEqualTo(new MetaQQueue("orders"));
        assertThat(target.destination().options().prefetch(1)).isEqualTo(3);
        assertThat(target.destination().options().subscribeOptions(uri().redelivery()).redelivery())
                .containsEntry("maxDeliveries", "5")
                .containsEntry("redeliveryDelay", "1000");
    }

    @Test
    void shouldConnectAsTheActivationSaysAndNeverLetTheConnectionReconnectItself()
            throws Exception {
        name("Queue", "orders");
        spec.setConnectionUri("metaq://own:2?reconnect=true&clientId=x&user=joe&password=a%26b");
        spec.setClientId("y");
        assertThat(uri().servers()).hasToString("[own:2]");
        assertThat(uri().isReconnecting()).isFalse();
        assertThat(uri().clientId()).isEqualTo("y");
        assertThat(uri().user()).as("its own URI goes before the adapter").isEqualTo("joe");
        assertThat(uri().password()).isEqualTo("a&b");
        spec.setUser("eve");
        spec.setPassword("c&d%");
        assertThat(uri().user()).isEqualTo("eve");
        assertThat(uri().password()).isEqualTo("c&d%");
    }

    @Test
    void shouldLookUpOurDestinationsAndOthers() throws Exception {
        spec.setDestinationLookup("jms/ours");
        FakeNaming.BOUND.put("jms/ours", new MetaQTopic("prices?prefetch=2"));
        assertThat(resolve().destination()).isEqualTo(new MetaQTopic("prices"));
        assertThat(resolve().destination().options().prefetch(1)).isEqualTo(2);
        spec.setDestinationLookup("jms/foreign");
        FakeNaming.BOUND.put("jms/foreign", new ForeignQueue("orders?prefetch=3"));
        assertThat(resolve().destination()).isEqualTo(new MetaQQueue("orders"));
        assertThat(resolve().destination().options().prefetch(1)).isEqualTo(3);
        FakeNaming.BOUND.put("jms/foreign", new Both("q", "t"));
        spec.setDestinationType("jakarta.jms.Topic");
        assertThat(resolve().destination()).isEqualTo(new MetaQTopic("t"));
        spec.setDestinationType("jakarta.jms.Queue");
        assertThat(resolve().destination()).isEqualTo(new MetaQQueue("q"));
    }

    @Test
    void shouldUseTheBrokerOfAConnectionFactoryOfThisAdapterOrOfTheClient() throws Exception {
        name("Queue", "orders");
        spec.setConnectionFactoryLookup("jms/cf");
        BrokerAccess pools = new BrokerAccess("metaq://pool:3", "pia", "");
        FakeNaming.BOUND.put("jms/cf", new Pool(pools));
        assertThat(resolve().broker()).isEqualTo(pools);
        FakeNaming.BOUND.put("jms/cf", new MetaQConnectionFactory("metaq://client:4?user=cy"));
        assertThat(uri().servers()).hasToString("[client:4]");
        assertThat(uri().user()).isEqualTo("cy");
    }

    @Test
    void shouldSayWhichBeanPropertyAndNameAreWrong() {
        spec.setDestinationLookup("jms/x");
        assertThatThrownBy(this::resolve)
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("endpoint Bean: destinationLookup='jms/x' leads nowhere")
                .hasMessageContaining("is not bound");
        FakeNaming.BOUND.put("jms/x", "text");
        assertThatThrownBy(this::resolve)
                .hasMessageContaining("is a java.lang.String, not a jakarta.jms.Queue or Topic");
        FakeNaming.BOUND.put("jms/x", new MetaQTopic("t"));
        spec.setDestinationType("jakarta.jms.Queue");
        assertThatThrownBy(this::resolve)
                .hasMessageContaining("destinationType is jakarta.jms.Queue")
                .hasMessageContaining("is topic://t");
        name("Queue", "orders");
        spec.setDestinationLookup(null);
        spec.setConnectionFactoryLookup("jms/y");
        FakeNaming.BOUND.put("jms/y", new MetaQTopic("t"));
        assertThatThrownBy(this::resolve)
                .hasMessageContaining("connectionFactoryLookup='jms/y' is a")
                .hasMessageContaining("not a connection factory of this resource adapter");
    }

    @Test
    void shouldShareTheSubscriptionsOfTopics() throws Exception {
        name("Topic", "prices");
        EndpointSubscription own = resolve().subscription();
        assertThat(own.isDurable()).isFalse();
        assertThat(own.name()).isNotEmpty().isNotEqualTo(resolve().subscription().name());
        spec.setSubscriptionName("s");
        assertThat(resolve().subscription().name()).as("not asked to share").isNotEqualTo("s");
        spec.setShareSubscriptions(true);
        assertThat(resolve().subscription()).isEqualTo(new EndpointSubscription("s", false));
        spec.setSubscriptionDurability("Durable");
        assertThat(resolve().subscription()).isEqualTo(new EndpointSubscription("s", true));
        name("Queue", "orders");
        assertThat(resolve().subscription()).isEqualTo(EndpointSubscription.UNNAMED);
    }

    @Test
    void shouldAcknowledgeLazilyOnlyWithoutTransactions() throws Exception {
        name("Queue", "orders");
        spec.setAcknowledgeMode("Dups-ok-acknowledge");
        assertThat(resolve().acknowledgeMode()).isEqualTo(Session.AUTO_ACKNOWLEDGE);
        assertThat(new TargetLookup("b", () -> ADAPTERS).resolve(spec, false).acknowledgeMode())
                .isEqualTo(Session.DUPS_OK_ACKNOWLEDGE);
    }
}
