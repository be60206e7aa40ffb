package org.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowListTest {
    private final AllowList list =
            AllowList.parse(" org.acme.Order , org.shop.*,org.acme.Outer$Inner,");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.acme.Order",
                "org.acme.Outer$Inner",
                "org.shop.Item",
                "org.shop.Item$Part",
                "org.shop.sub.Item",
                "[Lorg.acme.Order;",
                "[[Lorg.shop.Item;",
                "[I",
                "[[Z",
                "java.lang.String",
                "java.time.LocalDate",
                "java.util.ArrayList"
            })
    void shouldAllowWhatItNames(String name) {
        assertThat(list.allows(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.acme.OrderEvil",
                "org.acme.Order$Nested",
                "org.acme.order",
                "org.shopevil.Item",
                "org.shop",
                "evil.org.shop.Item",
                "[Lorg.acme.Evil;",
                "[Lorg.acme.Order",
                "[[",
                "java.lang.Runtime",
                "java.lang.reflect.Method",
                "java.util.PriorityQueue",
                "java.util.logging.Handler",
                "java.timex.Evil",
                "javax.management.BadAttributeValueExpException",
                ""
            })
    void shouldRefuseAllElse(String name) {
        assertThat(list.allows(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", ".*", "org.*.Order", "org.acme*", "org..acme", "a b", "org.acme."})
    void shouldRefuseOtherPatterns(String pattern) {
        assertThatThrownBy(() -> AllowList.parse("org.acme.Order," + pattern))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allowedClasses")
                .hasMessageContaining("'" + pattern + "'");
    }

    @Test
    void shouldAllowOnlyPlainDataByDefault() {
        assertThat(AllowList.DEFAULT.allows("java.lang.Integer")).isTrue();
        assertThat(AllowList.DEFAULT.allows("org.acme.Order")).isFalse();
    }
}
