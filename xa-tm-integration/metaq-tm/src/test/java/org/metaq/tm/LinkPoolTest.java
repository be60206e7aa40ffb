package org.metaq.tm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.metaq.tm.LinkKey.Api;

class LinkPoolTest {
    private static final LinkKey ANYONE = new LinkKey(Api.CLASSIC, null, null);

    private final FakeProvider provider = new FakeProvider();

    private LinkPool pool(int maxConnections) {
        return new LinkPool(
                provider.factory(), maxConnections, Duration.ZERO, Duration.ofMinutes(1));
    }

    @Test
    void shouldUseAConnectionAgain() throws JMSException {
        LinkPool pool = pool(2);
        for (int i = 0; i < 100; i++) {
            pool.give(pool.take(ANYONE));
        }
        assertThat(provider.opened).hasSize(1);
        assertThat(provider.opened.get(0).calls).hasSize(100).containsOnly("stop");
    }

    @Test
    void shouldNotGiveTheConnectionOfOtherCredentials() throws JMSException {
        LinkPool pool = pool(3);
        pool.give(pool.take(new LinkKey(Api.CLASSIC, "ann", "right")));
        pool.give(pool.take(new LinkKey(Api.CLASSIC, "ann", "wrong")));
        pool.give(pool.take(new LinkKey(Api.CLASSIC, "bob", "right")));
        assertThat(provider.opened).hasSize(3);
        assertThat(pool.idleCount()).isEqualTo(3);
        pool.give(pool.take(new LinkKey(Api.CLASSIC, "ann", "right")));
        assertThat(provider.opened).hasSize(3);
    }

    @Test
    void shouldCloseAnIdleConnectionOfOthersWhenThereIsNoRoom() throws JMSException {
        LinkPool pool = pool(1);
        pool.give(pool.take(ANYONE));
        pool.take(new LinkKey(Api.CLASSIC, "ann", ""));
        assertThat(provider.opened.get(0).isClosed).isTrue();
        assertThat(provider.opened.get(1).isClosed).isFalse();
        assertThat(pool.count()).isEqualTo(1);
    }

    @Test
    void shouldNameTheLimitWhenAllAreInUse() throws JMSException {
        LinkPool pool = pool(2);
        Link one = pool.take(ANYONE);
        pool.take(ANYONE);
        assertThatThrownBy(() -> pool.take(ANYONE))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("maxConnections=2")
                .hasMessageContaining("maxWait");
        pool.give(one);
        assertThat(pool.take(ANYONE)).isSameAs(one);
    }

    @Test
    void shouldNotKeepWhatIsLostNorGiveIt() throws JMSException {
        LinkPool pool = pool(2);
        Link lostInUse = pool.take(ANYONE);
        Link lostWhenIdle = pool.take(ANYONE);
        pool.give(lostWhenIdle);
        provider.opened.forEach(FakeProvider.FakeConnection::lose);
        pool.give(lostInUse);
        assertThat(pool.take(ANYONE)).isNotSameAs(lostInUse).isNotSameAs(lostWhenIdle);
        assertThat(provider.opened).hasSize(3);
        assertThat(provider.opened.subList(0, 2)).allMatch(connection -> connection.isClosed);
        assertThat(pool.count()).isEqualTo(1);
    }

    @Test
    void shouldCountNothingThatCouldNotBeOpened() throws JMSException {
        LinkPool pool = pool(1);
        provider.isDown = true;
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> pool.take(ANYONE)).hasMessage("the provider is down");
        }
        provider.isDown = false;
        assertThat(pool.take(ANYONE)).isNotNull();
    }

    @Test
    void shouldCloseWhatComesBackAfterItsEnd() throws JMSException {
        LinkPool pool = pool(2);
        Link inUse = pool.take(ANYONE);
        pool.give(pool.take(ANYONE));
        assertThat(pool.close()).isTrue();
        assertThat(pool.close()).isFalse();
        assertThat(pool.count()).isEqualTo(1);
        pool.give(inUse);
        assertThat(pool.count()).isZero();
        assertThat(provider.opened).allMatch(connection -> connection.isClosed);
        assertThatThrownBy(() -> pool.take(ANYONE)).isInstanceOf(IllegalStateException.class);
    }
}
