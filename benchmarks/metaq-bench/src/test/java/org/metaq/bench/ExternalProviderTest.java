package org.metaq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalProviderTest {
    private static final String SHORTEST =
            "name=other,class-path=a.jar:b.jar,factory=a.Factory,uri=";

    @TempDir Path directory;

    @Test
    void shouldKeepCommasWithinValues() throws BenchException {
        ExternalProvider provider =
                ExternalProvider.parse(
                        SHORTEST
                                + "failover:(tcp://a:1,tcp://b:2),xa-factory=a.Xa,durability=a, b");
        assertThat(provider.name()).isEqualTo("other");
        assertThat(provider.clientClassPath()).isEqualTo("a.jar:b.jar");
        assertThat(provider.factoryClass()).isEqualTo("a.Factory");
        assertThat(provider.xaFactoryClass()).isEqualTo("a.Xa");
        assertThat(provider.durability()).isEqualTo("a, b");
        assertThat(provider.brokerOptions()).contains("failover:(tcp://a:1,tcp://b:2)");
    }

    @Test
    void shouldSayWhatIsMissingOrNotKnown() {
        assertThatThrownBy(() -> ExternalProvider.parse("name=other,factory=a.Factory,uri=u"))
                .hasMessageContaining("class-path");
        assertThatThrownBy(() -> ExternalProvider.parse("other")).hasMessageContaining("other");
        assertThatThrownBy(() -> ExternalProvider.parse("name=a/b,class-path=c,factory=F,uri=u"))
                .hasMessageContaining("name");
    }

    @Test
    void shouldNotStartABrokerThatRunsAlready() throws Exception {
        Provider.Broker broker =
                ExternalProvider.parse(SHORTEST + "tcp://127.0.0.1:1,pid=7").start(directory);
        assertThat(broker).isEqualTo(new Provider.Broker(null, 7, "tcp://127.0.0.1:1"));
    }

    @Test
    void shouldWaitForThePortOfABrokerThatItStarts() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String uri = "tcp://127.0.0.1:" + socket.getLocalPort();
            ExternalProvider provider =
                    ExternalProvider.parse(SHORTEST + uri + ",command=tail -f {data}/broker.log");
            try (Provider.Broker broker = provider.start(directory)) {
                assertThat(broker.uri()).isEqualTo(uri);
                assertThat(broker.pid()).isPositive();
            }
        }
    }

    @Test
    void shouldSayThatABrokerEndedBeforeItListened() throws BenchException {
        ExternalProvider provider =
                ExternalProvider.parse(SHORTEST + "tcp://127.0.0.1:1,command=true");
        assertThatThrownBy(() -> provider.start(directory))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("does not listen");
    }
}
