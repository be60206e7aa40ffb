package org.metaq.ra;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.resource.spi.ResourceAdapter;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** That ra.xml and the beans say the same. */
class RaXmlTest {
    /** Other names of properties, for which beans have setters only. */
    private static final Set<String> ALIASES =
            Set.of("user", "userName", "address", "physicalName", "maxSession");

    private final RaXml descriptor = RaXml.read();

    @Test
    void shouldNameEachBean() {
        assertThat(descriptor.beans().stream().map(RaXml.Bean::className))
                .containsExactly(
                        "org.metaq.ra.MetaQResourceAdapter",
                        "org.metaq.ra.outbound.MetaQManagedConnectionFactory",
                        "org.metaq.ra.outbound.MetaQQueueManagedConnectionFactory",
                        "org.metaq.ra.outbound.MetaQTopicManagedConnectionFactory",
                        "org.metaq.ra.inbound.MetaQActivationSpec",
                        "org.metaq.ra.outbound.RaQueue",
                        "org.metaq.ra.outbound.RaTopic");
    }

    @Test
    void shouldNameClassesThatAreThereWithTheirInterfaces() throws Exception {
        List<String> names = descriptor.classNames();
        assertThat(names).hasSizeGreaterThan(15);
        for (String name : names) {
            assertThat(Class.forName(name)).isNotNull();
        }
        assertThat(ResourceAdapter.class)
                .isAssignableFrom(Class.forName(descriptor.beans().get(0).className()));
    }

    @TestFactory
    Stream<DynamicTest> shouldHaveASetterOfThatTypeForEachProperty() {
        return forEachBean(
                (bean, object) -> {
                    for (RaXml.Property property : bean.properties()) {
                        Class<?> type = Class.forName(property.type());
                        Method setter = descriptorOf(object, property.name()).getWriteMethod();
                        assertThat(setter).as(property.name()).isNotNull();
                        assertThat(setter.getParameterTypes()[0])
                                .as(property.name())
                                .isEqualTo(type);
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> shouldDescribeEachPropertyOfTheBeans() {
        return forEachBean(
                (bean, object) -> {
                    Set<String> described = new TreeSet<>();
                    for (RaXml.Property property : bean.properties()) {
                        assertThat(property.description()).as(property.name()).isNotBlank();
                        assertThat(described.add(property.name())).as(property.name()).isTrue();
                    }
                    Set<String> settable = new TreeSet<>();
                    for (Method method : object.getClass().getMethods()) {
                        if (isConfiguration(method)) {
                            settable.add(Introspector.decapitalize(method.getName().substring(3)));
                        }
                    }
                    settable.removeIf(name -> ALIASES.contains(name) && !described.contains(name));
                    assertThat(described).isEqualTo(settable);
                });
    }

    /** A setter, but not of what the server gives besides properties. */
    private static boolean isConfiguration(Method method) {
        return method.getName().startsWith("set")
                && method.getParameterCount() == 1
                && !Set.of("setResourceAdapter", "setLogWriter", "setReference")
                        .contains(method.getName());
    }

    @TestFactory
    Stream<DynamicTest> shouldHaveTheDefaultsOfTheBeans() {
        return forEachBean(
                (bean, object) -> {
                    for (RaXml.Property property : bean.properties()) {
                        Object value =
                                descriptorOf(object, property.name())
                                        .getReadMethod()
                                        .invoke(object);
                        String shown = value == null ? "" : value.toString();
                        assertThat(property.defaultValue()).as(property.name()).isEqualTo(shown);
                    }
                });
    }

    @FunctionalInterface
    private interface Check {
        void of(RaXml.Bean bean, Object object) throws Exception;
    }

    private Stream<DynamicTest> forEachBean(Check check) {
        return descriptor.beans().stream()
                .map(
                        bean ->
                                DynamicTest.dynamicTest(
                                        bean.className(),
                                        () ->
                                                check.of(
                                                        bean,
                                                        Class.forName(bean.className())
                                                                .getConstructor()
                                                                .newInstance())));
    }

    private static PropertyDescriptor descriptorOf(Object object, String name) throws Exception {
        return Arrays.stream(Introspector.getBeanInfo(object.getClass()).getPropertyDescriptors())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no property " + name + " in " + object));
    }
}
