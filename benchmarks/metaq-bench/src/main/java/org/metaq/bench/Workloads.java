package org.metaq.bench;

import jakarta.jms.DeliveryMode;
import java.util.List;
import java.util.stream.Stream;

/** All workloads that run against a broker that is there. Stateless. */
final class Workloads {
    private static final int MANY = 8;

    /** In the order in which they run. */
    static final List<Workload> ALL =
            List.of(
                    queue("W1", "durable, 1 sync producer + 1 AUTO_ACK consumer", 1),
                    queue("W2", "durable, 8 sync producers + 8 AUTO_ACK consumers", MANY),
                    new AsyncWorkload(
                            "W3", "durable, 1 producer with CompletionListener + 1 consumer"),
                    new TransactedWorkload(
                            "W4",
                            "durable, transacted: first 100 sends per commit (W4p), then 100"
                                    + " receives per commit (W4c)"),
                    byHand("W5x1", 1),
                    byHand("W5x8", MANY),
                    byNarayana("W5nx1", 1),
                    byNarayana("W5nx8", MANY),
                    nonPersistent("W6x1", 1),
                    nonPersistent("W6x8", MANY),
                    new TopicWorkload(
                            "W7", "durable topic, 1 sync producer, 5 durable subscribers", 5),
                    new RequestReplyWorkload(
                            "W8x1", "request and reply over a temporary queue, 1 requester", 1),
                    new RequestReplyWorkload(
                            "W8x8", "request and reply over temporary queues, 8 requesters", MANY),
                    new ManyQueuesWorkload(
                            "W10", "1,000 queues x 100 durable messages, in and out", 1000),
                    new SelectorBacklogWorkload(
                            "W11backlog",
                            "selector that matches 500 of 50,000 waiting messages",
                            50_000,
                            3),
                    new SelectorLiveWorkload(
                            "W11live", "topic, selector that matches 1 of 100 messages"),
                    new LifecycleWorkload(
                            "W12session",
                            "create and close a session",
                            LifecycleWorkload.Kind.SESSION),
                    new LifecycleWorkload(
                            "W12connection",
                            "create, start and close a connection",
                            LifecycleWorkload.Kind.CONNECTION),
                    new LifecycleWorkload(
                            "W12startstop",
                            "start and stop a connection with a consumer",
                            LifecycleWorkload.Kind.START_STOP));

    /** What is run before any other. */
    static final WarmUp WARM_UP =
            new WarmUp(
                    List.of(
                            queue("warm-up-8", "", MANY),
                            new AsyncWorkload("warm-up-async", ""),
                            new TransactedWorkload("warm-up-transacted", ""),
                            nonPersistent("warm-up-fast", MANY),
                            new TopicWorkload("warm-up-topic", "", 5),
                            byHand("warm-up-xa", MANY),
                            queue("warm-up-1", "", 1)));

    private Workloads() {}

    /**
     * The one of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Workload named(String name) {
        return Stream.concat(
                        ALL.stream(), Stream.of(WARM_UP, BacklogPhase.FILL, BacklogPhase.DRAIN))
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no workload is called " + name));
    }

    private static Workload queue(String name, String description, int pairs) {
        return new QueueWorkload(name, description, pairs, DeliveryMode.PERSISTENT, false);
    }

    private static Workload nonPersistent(String name, int pairs) {
        return new QueueWorkload(
                name,
                "non-persistent, " + pairs + " + " + pairs,
                pairs,
                DeliveryMode.NON_PERSISTENT,
                true);
    }

    private static Workload byHand(String name, int threads) {
        return new XaWorkload(
                name,
                "XA by hand, 1 receive + 1 send per branch, threads: " + threads,
                threads,
                BranchesByHand::open);
    }

    private static Workload byNarayana(String name, int threads) {
        return new XaWorkload(
                name,
                "XA by Narayana with a second resource, threads: " + threads,
                threads,
                NarayanaBranches::open);
    }
}
