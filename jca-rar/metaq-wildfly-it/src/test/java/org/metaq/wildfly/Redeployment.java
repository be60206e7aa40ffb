package org.metaq.wildfly;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.io.IOException;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.metaq.jms.MetaQConnectionFactory;

/** Application and adapter of a site are taken away and brought back: nothing of them stays. */
final class Redeployment {
    private static final String ADAPTER = "metaq.rar";

    /** Fills the pools of the server, which have an upper bound. */
    private static final int WARM_UP = 4;

    private static final int TIMES = 10;

    /**
     * Connections that the server's next scan opens, if it was not before: for pool and adapter.
     * Each has a thread that reads.
     */
    private static final int RECOVERY = 2;

    private static final String READER = "metaq-reader";

    /**
     * A thread that waits for work may still hold, in its stack, what it did last, in WildFly. Far
     * below a leak of one for each redeployment.
     */
    private static final int STALE_MAX = 8;

    private final Site site;

    Redeployment(Site site) {
        this.site = site;
    }

    void leavesNothingBehind() throws Exception {
        redeploy(WARM_UP);
        useAll("warm");
        Footprint before = Footprint.of(site);
        redeploy(TIMES);
        useAll("last");
        eventually(() -> assertFlat(before, Footprint.of(site)));
        site.server().disable(site.archive(), ADAPTER);
        eventually(() -> assertGone(Footprint.of(site)));
        assertUnlocked();
    }

    private static void assertFlat(Footprint before, Footprint after) {
        String both = "before: " + before + ", after: " + after;
        assertThat(after.connections())
                .as(both)
                .isLessThanOrEqualTo(before.connections() + RECOVERY);
        assertThat(after.threadCount()).as(both).isLessThan(before.threadCount() + TIMES);
        after.ownThreads()
                .forEach(
                        (name, count) -> {
                            long more = name.startsWith(READER) ? RECOVERY : 0;
                            assertThat(count)
                                    .as("threads '%s', %s", name, both)
                                    .isLessThanOrEqualTo(
                                            before.threads().getOrDefault(name, 0L) + more);
                        });
        assertThat(after.adapters()).as(both).isLessThanOrEqualTo(before.adapters() + STALE_MAX);
        assertThat(after.adapterLoaders()).as(both).isLessThanOrEqualTo(1 + STALE_MAX);
        assertThat(after.applicationLoaders()).as(both).isLessThanOrEqualTo(1 + STALE_MAX);
    }

    private static void assertGone(Footprint left) {
        assertThat(left.connections()).as("%s", left).isZero();
        assertThat(left.ownThreads().keySet())
                .as("%s", left)
                .noneMatch(name -> name.startsWith("metaq"));
        assertThat(left.adapterLoaders()).as("%s", left).isLessThanOrEqualTo(1 + STALE_MAX);
    }

    /** Its client id and its subscription are nobody's. */
    private void assertUnlocked() {
        try (JMSContext context = new MetaQConnectionFactory(site.broker().uri()).createContext()) {
            context.setClientID("testapp");
            context.unsubscribe("sub");
        }
    }

    private static void eventually(ThrowingRunnable assertion) {
        Awaitility.await().atMost(Site.MAX).untilAsserted(assertion);
    }

    private void redeploy(int times) throws IOException, InterruptedException {
        site.server().restart(times, site.archive(), ADAPTER);
        site.server().awaitPage(site.page());
    }

    /** Pool and endpoints, these with all sessions, so that all threads have something new. */
    private void useAll(String text) throws Exception {
        String[] texts = IntStream.range(0, 200).mapToObj(i -> text + i).toArray(String[]::new);
        site.send("test.none", null, texts);
        site.send("test.bean", null, texts);
        site.send("test.in", "test.redeployed", texts);
        assertThat(site.receiveTexts("test.redeployed", texts.length))
                .containsExactlyInAnyOrder(texts);
        site.awaitQuiet("test.none");
        site.awaitQuiet("test.bean");
        try (JMSContext context = new MetaQConnectionFactory(site.broker().uri()).createContext()) {
            context.createProducer()
                    .setProperty("kind", "wanted")
                    .send(context.createTopic("test.topic"), text);
        }
        Awaitility.await().atMost(Site.MAX).until(() -> site.rows("topic").contains(text + " 1"));
    }
}
