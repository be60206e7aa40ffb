package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.resource.spi.InvalidPropertyException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetaQActivationSpecTest {
    private static MetaQActivationSpec valid() {
        MetaQActivationSpec spec = new MetaQActivationSpec();
        spec.setDestination("orders");
        spec.setDestinationType("jakarta.jms.Queue");
        return spec;
    }

    private static InvalidPropertyException problems(MetaQActivationSpec spec) {
        return catchThrowableOfType(InvalidPropertyException.class, spec::validate);
    }

    @Test
    void shouldAcceptADestinationAndItsType() throws Exception {
        valid().validate();
        MetaQActivationSpec lookedUp = new MetaQActivationSpec();
        lookedUp.setDestinationLookup("java:app/orders");
        lookedUp.validate();
    }

    @Test
    void shouldNameAllWrongPropertiesWithValueAndRange() {
        MetaQActivationSpec spec = new MetaQActivationSpec();
        spec.setDestinationType("jakarta.jms.Destination");
        spec.setMessageSelector("a = = b");
        spec.setAcknowledgeMode("Client-acknowledge");
        spec.setSubscriptionDurability("Durable");
        spec.setStartFrom("yesterday");
        spec.setConnectionUri("http://x");
        spec.setMaxSessions(0);
        spec.setPrefetch(10_001);
        spec.setMaxDeliveries(-1);
        spec.setRedeliveryBackOff(0.5);
        spec.setBreakerThreshold(1);
        spec.setBreakerDelay(5000L);
        spec.setBreakerMaxDelay(4999L);
        spec.setReconnectDelay(0L);
        InvalidPropertyException problems = problems(spec);
        assertThat(problems)
                .hasMessageContaining("destination=null: give it, or destinationLookup")
                .hasMessageContaining("destinationType=jakarta.jms.Destination: it takes")
                .hasMessageContaining("messageSelector=a = = b")
                .hasMessageContaining("acknowledgeMode=Client-acknowledge: it takes")
                .hasMessageContaining("subscriptionName=null: durable and shared")
                .hasMessageContaining("startFrom=yesterday: it takes `earliest`")
                .hasMessageContaining("connectionUri=http://x")
                .hasMessageContaining("maxSessions=0: it takes 1 to 1000")
                .hasMessageContaining("prefetch=10001: it takes 1 to 10000")
                .hasMessageContaining("maxDeliveries=-1: it takes 0 to")
                .hasMessageContaining("redeliveryBackOff=0.5: it takes 1 to 1000")
                .hasMessageContaining("breakerThreshold=1: it takes 0, or 2 to 1000")
                .hasMessageContaining(
                        "breakerMaxDelay=4999: it must not be below breakerDelay=5000")
                .hasMessageContaining("reconnectDelay=0: it takes 1 to 3600000");
        assertThat(problems.getInvalidPropertyDescriptors())
                .extracting(PropertyDescriptor::getName)
                .contains("destination", "maxSessions", "breakerMaxDelay")
                .hasSize(14);
    }

    @Test
    void shouldNeverShowAPassword() {
        MetaQActivationSpec spec = valid();
        spec.setPassword("secret");
        spec.setMaxSessions(0);
        assertThat(problems(spec)).message().doesNotContain("secret");
        assertThat(spec.toString()).doesNotContain("secret").contains("password=***");
    }

    @Test
    void shouldWantATypeWithADestination() {
        MetaQActivationSpec spec = valid();
        spec.setDestinationType("");
        assertThat(problems(spec)).hasMessageContaining("destinationType=null: with destination");
    }

    @ParameterizedTest
    @CsvSource({
        "Queue,true",
        "jakarta.jms.Queue,true",
        "javax.jms.Queue,true",
        "topic,false",
        "jakarta.jms.Topic,false"
    })
    void shouldKnowTheTypeByAllItsNames(String type, boolean isQueue) throws Exception {
        MetaQActivationSpec spec = valid();
        spec.setDestinationType(type);
        spec.validate();
        assertThat(spec.isQueueType()).isEqualTo(isQueue);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dups-ok-acknowledge", "DUPS_OK_ACKNOWLEDGE", "dups-ok-acknowledge"})
    void shouldKnowTheAcknowledgeModeByAllItsNames(String mode) throws Exception {
        MetaQActivationSpec spec = valid();
        spec.setAcknowledgeMode(mode);
        spec.validate();
        assertThat(spec.isDupsOk()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "earliest",
                "latest",
                "2026-11-01T00:00:00Z",
                "2026-11-01T01:00:00+01:00",
                "1700000000000",
                "offset:0:1"
            })
    void shouldTakeEachFormOfAStart(String position) throws Exception {
        MetaQActivationSpec spec = valid();
        spec.setStartFrom(position);
        spec.validate();
    }

    @Test
    void shouldHaveASetterAndGetterForEachPropertyAndListEachInTheTable() throws Exception {
        List<String> aliases = List.of("maxSession", "userName");
        List<String> inherited = List.of("class", "resourceAdapter");
        List<String> beanProperties =
                Arrays.stream(
                                Introspector.getBeanInfo(MetaQActivationSpec.class)
                                        .getPropertyDescriptors())
                        .filter(p -> !inherited.contains(p.getName()))
                        .peek(p -> assertThat(p.getWriteMethod()).as(p.getName()).isNotNull())
                        .map(PropertyDescriptor::getName)
                        .filter(name -> !aliases.contains(name))
                        .toList();
        assertThat(beanProperties)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ActivationProperty.values())
                                .map(ActivationProperty::propertyName)
                                .collect(Collectors.toList()));
    }

    @Test
    void shouldTakeTheOtherNamesOfProperties() {
        MetaQActivationSpec spec = valid();
        spec.setMaxSession(7);
        spec.setUserName("jo");
        assertThat(spec.getMaxSessions()).isEqualTo(7);
        assertThat(spec.getUser()).isEqualTo("jo");
    }

    /** B40. */
    @Test
    void shouldBeEqualWithEqualSettingsDefaultsAndNullsIncluded() throws Exception {
        assertThat(new MetaQActivationSpec())
                .isEqualTo(new MetaQActivationSpec())
                .hasSameHashCodeAs(new MetaQActivationSpec());
        MetaQActivationSpec spec = valid();
        spec.setMaxSessions(10);
        spec.setClientId("");
        assertThat(spec).isEqualTo(valid()).hasSameHashCodeAs(valid());
        spec.setClientId("c");
        assertThat(spec).isNotEqualTo(valid()).isNotEqualTo(null);
        assertThat(copy(spec)).isEqualTo(spec);
    }

    private static Object copy(Object original) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(original);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    @Test
    void shouldRefuseASecondResourceAdapter() throws Exception {
        MetaQActivationSpec spec = valid();
        assertThat(spec.getResourceAdapter()).isNull();
        jakarta.resource.spi.ResourceAdapter first = new FakeAdapter();
        spec.setResourceAdapter(first);
        spec.setResourceAdapter(first);
        assertThatThrownBy(() -> spec.setResourceAdapter(new FakeAdapter()))
                .isInstanceOf(jakarta.resource.spi.IllegalStateException.class);
    }

    private static final class FakeAdapter implements jakarta.resource.spi.ResourceAdapter {
        @Override
        public void start(jakarta.resource.spi.BootstrapContext context) {}

        @Override
        public void stop() {}

        @Override
        public void endpointActivation(
                jakarta.resource.spi.endpoint.MessageEndpointFactory factory,
                jakarta.resource.spi.ActivationSpec spec) {}

        @Override
        public void endpointDeactivation(
                jakarta.resource.spi.endpoint.MessageEndpointFactory factory,
                jakarta.resource.spi.ActivationSpec spec) {}

        @Override
        public javax.transaction.xa.XAResource[] getXAResources(
                jakarta.resource.spi.ActivationSpec[] specs) {
            return new javax.transaction.xa.XAResource[0];
        }
    }
}
