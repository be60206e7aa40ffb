package org.metaq.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.metaq.crash.CrashWorker.Told;
import org.metaq.soak.Actor;

/** Runs cases of the matrix at a site, and checks how each ended. */
final class CrashRun {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Of each layer; a method that was renamed would have no points. */
    private static final String[] METHODS = {
        "MetaQXAResource.forget",
        "FrameWriter.put",
        "PendingReply.answered",
        "Commands.dispatch",
        "NettyLink.send",
        "FileJournal.append",
        "FileJournal.write",
        "FileJournal.force",
        "BrokerState.apply"
    };

    /** What the worker was not alive to be told. */
    private static final String NOTHING = "";

    private final CrashSite site;

    CrashRun(CrashSite site) {
        this.site = site;
    }

    /** All cases: those of the points that are reached when nothing happens. */
    List<CrashCase> record() throws JMSException, IOException, InterruptedException {
        List<CrashCase> cases = new ArrayList<>();
        for (Order order : Order.values()) {
            int number = prepare(order);
            PointConsole.ask(site.worker(), "record");
            PointConsole.ask(site.broker(), "record");
            String told = site.worker().order(order.word() + " " + number);
            List<String> ofWorker =
                    List.of(PointConsole.ask(site.worker(), "points").split(" ", -1));
            List<String> ofBroker =
                    List.of(PointConsole.ask(site.broker(), "points").split(" ", -1));
            ofWorker.forEach(point -> cases.addAll(CrashCase.of(order, point, true)));
            ofBroker.forEach(point -> cases.addAll(CrashCase.of(order, point, false)));
            site.recover(order == Order.FORGET ? order : Order.RECOVER);
            assertEnd(order, number, told);
        }
        assertThat(cases)
                .extracting(each -> each.point().replaceFirst("[\\[:].*", ""))
                .contains(METHODS);
        return cases;
    }

    /** Brings about what the order is for; returns the number of its message. */
    private int prepare(Order order) throws JMSException, IOException, InterruptedException {
        int number = site.nextNumber();
        site.send(number);
        if (order.isRecovery()) {
            assertThat(site.worker().order("leave " + number)).isEqualTo(Told.COMMITTED.word());
        }
        if (order == Order.FORGET) {
            assertThat(PointConsole.ask(site.broker(), "settle")).isEqualTo("1");
        }
        return number;
    }

    /** Runs one case. */
    void run(CrashCase crash) throws JMSException, IOException, InterruptedException {
        int number = prepare(crash.order());
        Actor host = crash.isInWorker() ? site.worker() : site.broker();
        PointConsole.ask(host, "arm " + crash.point());
        site.worker().tell(crash.order().word() + " " + number);
        host.await(PointConsole.AT);
        site.deal(crash.blow());
        if (!crash.isOfVictim()) {
            host.tell(PointConsole.RELEASE);
        }
        String told = crash.blow() == Blow.WORKER ? NOTHING : site.worker().await(Actor.DONE);
        if (crash.order() == Order.ONE_PHASE) {
            assertThat(told).as("asked again, the broker knows").isNotEqualTo(Told.UNKNOWN.word());
        }
        site.recover(crash.order() == Order.FORGET ? Order.FORGET : Order.RECOVER);
        assertEnd(crash.order(), number, told);
    }

    /** It ended everywhere or nowhere, once, and as the application was told. */
    private void assertEnd(Order order, int number, String told)
            throws JMSException, IOException, InterruptedException {
        List<String> messages = new ArrayList<>();
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .until(
                        () -> {
                            messages.addAll(site.drain());
                            return !messages.isEmpty();
                        });
        assertThat(messages).hasSize(1);
        boolean isCommitted = messages.get(0).equals(CrashWorker.OUT + " " + number);
        if (!isCommitted) {
            assertThat(messages).containsExactly(CrashWorker.IN + " " + number);
        }
        int rows = isCommitted && order != Order.ONE_PHASE ? 1 : 0;
        assertThat(site.worker().order("rows " + number))
                .as("rows in the database, with %s", messages)
                .isEqualTo(String.valueOf(rows));
        switch (order) {
            case COMMIT -> assertThat(told).isNotEqualTo(Told.UNKNOWN.word());
            case ROLLBACK -> assertThat(isCommitted).as("committed").isFalse();
            case RECOVER, FORGET -> assertThat(isCommitted).as("committed").isTrue();
            case ONE_PHASE -> {
                // Either will do.
            }
        }
        if (told.equals(Told.COMMITTED.word())) {
            assertThat(isCommitted).as("committed, as was told").isTrue();
        } else if (told.equals(Told.ROLLED_BACK.word())) {
            assertThat(isCommitted).as("committed, though told to be rolled back").isFalse();
        }
    }
}
