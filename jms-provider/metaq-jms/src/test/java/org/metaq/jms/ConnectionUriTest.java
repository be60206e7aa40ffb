package org.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionUriTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "metaq://host host:8123",
                "METAQ://host:1 host:1",
                "metaq://host:65535/ host:65535",
                "metaq://a:1,b,c:3 a:1,b:8123,c:3",
                "metaq://[::1]:9 [::1]:9",
                "metaq://[fe80::1%eth0] [fe80::1%eth0]:8123",
                "metaq://[::ffff:1.2.3.4]:9,1.2.3.4 [::ffff:1.2.3.4]:9,1.2.3.4:8123",
                "metaq://my-host.example_1:7?user=x my-host.example_1:7"
            })
    void shouldReadServers(String uri, String servers) {
        assertThat(
                        String.join(
                                ",",
                                ConnectionUri.parse(uri).servers().stream()
                                        .map(ConnectionUri.Server::toString)
                                        .toList()))
                .isEqualTo(servers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tcp://host",
                "metaq:host",
                "metaq://",
                "metaq://host:0",
                "metaq://host:65536",
                "metaq://host:x",
                "metaq://host:",
                "metaq://a,,b",
                "metaq://::1",
                "metaq://[::1",
                "metaq://[host]:1",
                "metaq://a b",
                "metaq://host/path",
                "metaq://host:1:2",
                "metaq://user:pw@host",
                "metaq://host?user",
                "metaq://host?user=",
                "metaq://host?user=a&user=b",
                "metaq://host?user=%4",
                "metaq://host?user=%zz",
                "metaq://host?&user=a",
                "metaq://host?User=a"
            })
    void shouldRefuseWhatIsNoConnectionUri(String uri) {
        assertThatThrownBy(() -> ConnectionUri.parse(uri))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldHaveDefaults() {
        ConnectionUri uri = ConnectionUri.parse("metaq://host");
        assertThat(uri.user()).isNull();
        assertThat(uri.password()).isNull();
        assertThat(uri.clientId()).isNull();
        assertThat(uri.prefetch()).isEqualTo(1000);
        assertThat(uri.connectTimeoutMs()).isEqualTo(10_000);
        assertThat(uri.callTimeoutMs()).isEqualTo(30_000);
        assertThat(uri.heartbeatMs()).isEqualTo(10_000);
        assertThat(uri.sendWindowBytes()).isEqualTo(1 << 20);
        assertThat(uri.allowList().allows("java.lang.String")).isTrue();
        assertThat(uri.allowList().allows("org.acme.Order")).isFalse();
    }

    @Test
    void shouldReadEveryOptionAndItsEscapes() {
        ConnectionUri uri =
                ConnectionUri.parse(
                        "metaq://host?user=a%26b+c&password=%C3%A9%3D=%25&clientId=id&prefetch=1"
                                + "&allowedClasses=org.acme.*,org.shop.Item&connectTimeout=1"
                                + "&callTimeout=2&heartbeat=100&sendWindow=1024");
        assertThat(uri.user()).isEqualTo("a&b+c");
        assertThat(uri.password()).isEqualTo("é==%");
        assertThat(uri.clientId()).isEqualTo("id");
        assertThat(uri.prefetch()).isEqualTo(1);
        assertThat(uri.allowList().allows("org.acme.Order")).isTrue();
        assertThat(uri.allowList().allows("org.shop.Item")).isTrue();
        assertThat(uri.connectTimeoutMs()).isEqualTo(1);
        assertThat(uri.callTimeoutMs()).isEqualTo(2);
        assertThat(uri.heartbeatMs()).isEqualTo(100);
        assertThat(uri.sendWindowBytes()).isEqualTo(1024);
    }

    @ParameterizedTest
    @CsvSource({
        "prefech,prefetch",
        "clientID,clientId",
        "username,user",
        "pasword,password",
        "allowed,allowedClasses",
        "connecttimeout,connectTimeout"
    })
    void shouldNameAnUnknownOptionAndTheNearest(String given, String meant) {
        assertThatThrownBy(() -> ConnectionUri.parse("metaq://host?" + given + "=secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + given + "'")
                .hasMessageContaining("'" + meant + "'")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "prefetch,0,1 to 10000",
        "prefetch,10001,1 to 10000",
        "prefetch,-1,1 to 10000",
        "prefetch,many,1 to 10000",
        "prefetch,99999999999999999999,1 to 10000",
        "heartbeat,99,100 to 3600000",
        "sendWindow,1023,1024 to 1073741824",
        "allowedClasses,*,org.acme.*"
    })
    void shouldNameOptionValueAndRangeOfABadValue(String option, String value, String range) {
        assertThatThrownBy(() -> ConnectionUri.parse("metaq://host?" + option + "=" + value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + option + "'")
                .hasMessageContaining("'" + value + "'")
                .hasMessageContaining(range);
    }

    @Test
    void shouldNeverShowThePassword() {
        assertThat(ConnectionUri.parse("metaq://host?password=secret&user=me"))
                .hasToString("metaq://host:8123?user=me&password=***");
        for (String bad :
                new String[] {
                    "metaq://host?password=secret&password=secret",
                    "metaq://host?password=secret%2",
                    "metaq://host?password=secret&prefetch=0",
                    "metaq://user:secret@host",
                    "metaq://host/?password=secret&x"
                }) {
            assertThatThrownBy(() -> ConnectionUri.parse(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("secret");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDescribeEachOptionAndAcceptItsDefault(ConnectionOption option) {
        assertThat(option.description()).isNotBlank();
        assertThat(option.range()).isNotBlank();
        assertThat(ConnectionOption.named(option.optionName())).isEqualTo(option);
        if (option.defaultValue() != null) {
            option.check(option.defaultValue());
        }
        assertThat(Arrays.stream(ConnectionOption.values()).map(ConnectionOption::optionName))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldBeEqualByServersAndOptions() {
        assertThat(ConnectionUri.parse("metaq://host?user=a&prefetch=5"))
                .isEqualTo(ConnectionUri.parse("metaq://host:8123/?prefetch=5&user=%61"))
                .hasSameHashCodeAs(ConnectionUri.parse("metaq://host:8123/?prefetch=5&user=%61"))
                .isNotEqualTo(ConnectionUri.parse("metaq://host?user=a"));
    }

    @Test
    void shouldLeaveOutAnOption() {
        String uri = "metaq://a:1,b:2/?user=a%20b&clientId=me&prefetch=5";
        assertThat(ConnectionUri.parse(ConnectionUri.without(uri, ConnectionOption.CLIENT_ID)))
                .isEqualTo(ConnectionUri.parse("metaq://a:1,b:2?prefetch=5&user=a%20b"));
        for (String none : new String[] {"metaq://a", "metaq://a?prefetch=5"}) {
            assertThat(ConnectionUri.without(none, ConnectionOption.CLIENT_ID)).isEqualTo(none);
        }
        assertThat(ConnectionUri.without("metaq://a?clientId=me", ConnectionOption.CLIENT_ID))
                .isEqualTo("metaq://a");
    }

    @Test
    void shouldReplaceOptionsAndKeepTheOthers() {
        String uri = "metaq://a:1,[::1]:2?user=jo&password=p%26%25&reconnect=true&clientId=x";
        String replaced =
                ConnectionUri.with(
                        uri,
                        Map.of(
                                ConnectionOption.RECONNECT, "false",
                                ConnectionOption.PREFETCH, "5"));
        assertThat(ConnectionUri.parse(replaced))
                .isEqualTo(
                        ConnectionUri.parse(
                                "metaq://a:1,[::1]:2?user=jo&password=p%26%25&reconnect=false"
                                        + "&clientId=x&prefetch=5"));
        assertThatThrownBy(
                        () ->
                                ConnectionUri.with(
                                        uri, Map.of(ConnectionOption.RECONNECT, "perhaps")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'reconnect' cannot be 'perhaps'");
    }
}
