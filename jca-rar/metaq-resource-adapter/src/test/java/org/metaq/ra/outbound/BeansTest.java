package org.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.ManagedConnectionFactory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.naming.Reference;
import org.junit.jupiter.api.Test;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.ra.MetaQResourceAdapter;

/** The beans as objects: equal, serializable, with checked properties. */
class BeansTest {
    private record Pool(String name) implements ConnectionManager {
        @Override
        public Object allocateConnection(
                ManagedConnectionFactory factory, ConnectionRequestInfo request)
                throws ResourceException {
            throw new ResourceException("no connections here");
        }
    }

    private static MetaQManagedConnectionFactory configured() throws ResourceException {
        MetaQManagedConnectionFactory factory = new MetaQManagedConnectionFactory();
        factory.setConnectionUri("metaq://a:1");
        factory.setUserName("me");
        factory.setPassword("secret");
        factory.setClientId("id");
        factory.setSessionsPerConnection(3);
        factory.setResourceAdapter(new MetaQResourceAdapter());
        return factory;
    }

    @SuppressWarnings("unchecked") // what comes back is what went in
    private static <T> T copyOf(T object) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }

    @Test
    void shouldBeEqualIfTheirSettingsAre() throws Exception {
        assertThat(new MetaQResourceAdapter())
                .isEqualTo(new MetaQResourceAdapter())
                .hasSameHashCodeAs(new MetaQResourceAdapter())
                .isNotEqualTo(null);
        assertThat(new MetaQManagedConnectionFactory())
                .isEqualTo(new MetaQManagedConnectionFactory())
                .hasSameHashCodeAs(new MetaQManagedConnectionFactory())
                .isNotEqualTo(new MetaQQueueManagedConnectionFactory())
                .isNotEqualTo(configured())
                .isNotEqualTo(null);
        assertThat(configured()).isEqualTo(configured()).hasSameHashCodeAs(configured());
        assertThat(new RaQueue())
                .isEqualTo(new RaQueue())
                .hasSameHashCodeAs(new RaQueue())
                .isNotEqualTo(new RaTopic())
                .isNotEqualTo(null);
    }

    @Test
    void shouldBeEqualWhetherASettingIsNullOrEmpty() throws Exception {
        MetaQManagedConnectionFactory factory = new MetaQManagedConnectionFactory();
        factory.setConnectionUri(null);
        factory.setUser(null);
        factory.setPassword(null);
        factory.setClientId(null);
        assertThat(factory).isEqualTo(new MetaQManagedConnectionFactory());
        MetaQResourceAdapter adapter = new MetaQResourceAdapter();
        adapter.setConnectionUri("");
        adapter.setUser(null);
        adapter.setPassword("");
        assertThat(adapter).isEqualTo(new MetaQResourceAdapter());
        assertThat(adapter.getConnectionUri()).isEqualTo("metaq://localhost:8123");
    }

    @Test
    void shouldDifferInEachSetting() throws Exception {
        Set<Object> all = new HashSet<>(List.of(new MetaQManagedConnectionFactory()));
        List<java.util.function.Consumer<MetaQManagedConnectionFactory>> changes =
                List.of(
                        factory -> factory.setConnectionUri("metaq://b"),
                        factory -> factory.setUserName("a"),
                        factory -> factory.setPassword("a"),
                        factory -> factory.setClientId("a"),
                        factory -> factory.setSessionsPerConnection(1));
        for (var change : changes) {
            MetaQManagedConnectionFactory factory = new MetaQManagedConnectionFactory();
            change.accept(factory);
            assertThat(all.add(factory)).isTrue();
        }
    }

    @Test
    void shouldComeBackEqualFromSerialization() throws Exception {
        assertThat(copyOf(new MetaQResourceAdapter())).isEqualTo(new MetaQResourceAdapter());
        assertThat(copyOf(configured())).isEqualTo(configured());
        RaQueue queue = new RaQueue();
        queue.setAddress("orders");
        assertThat(copyOf(queue)).isEqualTo(queue);
        RaConnectionFactory application =
                (RaConnectionFactory) configured().createConnectionFactory(new Pool("a"));
        application.setReference(new Reference("x"));
        RaConnectionFactory copy = copyOf(application);
        assertThat(copy).isEqualTo(application).hasSameHashCodeAs(application);
        assertThat(copy.getReference()).isEqualTo(new Reference("x"));
        assertThat(copy).isNotEqualTo(configured().createConnectionFactory(new Pool("b")));
        assertThatThrownBy(copy::createConnection).hasMessage("no connections here");
    }

    @Test
    void shouldTakeWhatTheFactoryDoesNotSayFromTheAdapter() throws Exception {
        MetaQResourceAdapter adapter = new MetaQResourceAdapter();
        adapter.setConnectionUri("metaq://a:1");
        adapter.setUserName("adapter");
        adapter.setPassword("its");
        MetaQManagedConnectionFactory factory = new MetaQManagedConnectionFactory();
        assertThatThrownBy(factory::brokerAccess).isInstanceOf(IllegalStateException.class);
        factory.setResourceAdapter(adapter);
        assertThat(factory.brokerAccess()).isEqualTo(adapter.brokerAccess());
        factory.setUserName("own");
        assertThat(factory.brokerAccess().user()).isEqualTo("own");
        assertThat(factory.brokerAccess().password()).isEmpty();
        assertThat(factory.brokerAccess().uri()).isEqualTo("metaq://a:1");
        factory.setUserName("");
        factory.setConnectionUri("metaq://b:1");
        assertThat(factory.brokerAccess().user()).isEqualTo("adapter");
        factory.setConnectionUri("metaq://b:1?user=other&password=x");
        assertThat(factory.brokerAccess().user()).isEmpty();
    }

    @Test
    void shouldBelongToOneAdapterOfOurs() throws Exception {
        MetaQManagedConnectionFactory factory = configured();
        MetaQResourceAdapter other = new MetaQResourceAdapter();
        other.setUserName("other");
        assertThatThrownBy(() -> factory.setResourceAdapter(other))
                .isInstanceOf(jakarta.resource.spi.IllegalStateException.class);
        assertThatThrownBy(() -> factory.setResourceAdapter(null))
                .isInstanceOf(ResourceException.class);
    }

    @Test
    void shouldRefuseBadSettingsAtOnce() {
        MetaQManagedConnectionFactory factory = new MetaQManagedConnectionFactory();
        for (int bad : new int[] {0, -1, 1001}) {
            assertThatThrownBy(() -> factory.setSessionsPerConnection(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 1000");
        }
        assertThatThrownBy(() -> factory.setConnectionUri("tcp://a:1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("metaq://");
        assertThatThrownBy(() -> new MetaQResourceAdapter().setConnectionUri("a"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RaQueue().setName(""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RaQueue().setName("a?nothing=1"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RaQueue().destination())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("name");
    }

    @Test
    void shouldNotShowThePassword() throws Exception {
        assertThat(configured().toString()).contains("me", "id").doesNotContain("secret");
        MetaQResourceAdapter adapter = new MetaQResourceAdapter();
        adapter.setConnectionUri("metaq://a?user=u&password=secret");
        adapter.setUserName("me");
        adapter.setPassword("secret");
        assertThat(adapter.toString()).contains("me").doesNotContain("secret");
        assertThat(new ConnectionRequest("me", "secret").toString()).doesNotContain("secret");
    }

    @Test
    void shouldStandForTheDestinationOfItsName() throws Exception {
        RaQueue queue = new RaQueue();
        queue.setPhysicalName("orders?prefetch=1");
        assertThat(queue.destination()).isEqualTo(new MetaQQueue("orders"));
        assertThat(queue.destination().options())
                .isEqualTo(new MetaQQueue("orders?prefetch=1").options());
        assertThat(queue.getAddress()).isEqualTo(queue.getName());
    }
}
