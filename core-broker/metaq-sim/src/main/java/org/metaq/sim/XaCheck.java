package org.metaq.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.metaq.broker.Broker;
import org.metaq.broker.BrokerAdmin;
import org.metaq.broker.BrokerConnection;
import org.metaq.broker.state.Branch;
import org.metaq.broker.state.Outcomes.Outcome;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.Subscription;
import org.metaq.broker.state.Topic;
import org.metaq.common.DestinationKind;
import org.metaq.common.PhysicalName;
import org.metaq.protocol.Command;
import org.metaq.protocol.Durability;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Limits;
import org.metaq.protocol.Settlement;
import org.metaq.sim.SimLink.Result;
import org.metaq.sim.XaBranch.Vote;
import org.metaq.sim.XaTransaction.Told;

/**
 * Fills the queues of an XA run at its start, and looks at the brokers at its end: every global
 * transaction is there everywhere or nowhere, and as its application was told; nothing is left of
 * what is over; asking again changes nothing.
 */
final class XaCheck {
    private static final int FILLED_MAX = 20;
    private static final int ACQUIRE_COUNT = 100;
    private static final int BODY_LENGTH = 40;

    private final XaWorld world;

    XaCheck(XaWorld world) {
        this.world = world;
    }

    // ---- calls without a network

    /** A connection whose messages arrive at once. */
    private static final class Direct {
        private final XaNode node;
        private final SimLink link;
        private final BrokerConnection connection;

        Direct(XaNode node) {
            this.node = node;
            this.link = new SimLink("the check at " + node);
            this.connection = node.broker().connect(link);
            require("open", o -> new Command.Open(1, "", "", "", o));
        }

        Result call(String what, IntFunction<Command> command) {
            List<Result> results = new ArrayList<>();
            int opaque = link.expectResult(what, results::add);
            node.broker().submit(connection, command.apply(opaque));
            node.work();
            if (results.isEmpty()) {
                throw new Violation(what + " at " + node + " gets no answer");
            }
            return results.get(0);
        }

        String require(String what, IntFunction<Command> command) {
            Result result = call(what, command);
            if (!result.isOk()) {
                throw new Violation(what + " at " + node + " is answered: " + result.text());
            }
            return result.text();
        }

        List<Long> acquire(int consumer) {
            List<Long> ids = new ArrayList<>();
            int opaque =
                    link.expectDeliveries(
                            "acquire",
                            some -> some.forEach(each -> ids.add(Payload.idOf(each.message()))));
            node.broker()
                    .submit(
                            connection,
                            new Command.Acquire(
                                    consumer, ACQUIRE_COUNT, Limits.ACQUIRE_BYTES_MAX, 0, opaque));
            node.work();
            return ids;
        }

        void close() {
            node.broker().disconnect(connection);
            node.work();
        }
    }

    // ---- the start

    /** Each queue of each broker gets some messages. */
    void fill() {
        for (XaNode node : world.nodes) {
            Direct direct = new Direct(node);
            for (String queue : XaSession.QUEUES) {
                String name = PhysicalName.parse(queue).name();
                direct.require("resolve", o -> new Command.Resolve(DestinationKind.QUEUE, name, o));
                for (int i = world.random.nextInt(FILLED_MAX); i >= 0; i--) {
                    long id = world.ledger.send(node, queue, null);
                    direct.require("send", o -> send(queue, id, o));
                }
            }
            direct.close();
        }
    }

    private static Command send(String queue, long id, int opaque) {
        return new Command.Send(
                queue, -1, 0, -1, 0, 0, Durability.SYNC, null, Payload.of(id, BODY_LENGTH), opaque);
    }

    // ---- the end

    /**
     * Looks at everything.
     *
     * @throws Violation for the first promise that is broken
     */
    void run() {
        world.trace.add("the check");
        world.ledger.transactions().forEach(XaCheck::checkTold);
        world.network.closeAll();
        for (XaNode node : world.nodes) {
            if (world.chance(30)) {
                node.crashed();
                node.start();
            }
            checkNothingIsLeft(node);
            Map<XaBranch, Boolean> fates = fates(node);
            fates.forEach((branch, isCommitted) -> askAgain(node, branch, isCommitted));
            checkMessages(node, fates);
            checkFiles(node);
        }
    }

    /** What the application was told is what was decided. */
    private static void checkTold(XaTransaction transaction) {
        boolean hasWork = transaction.branches.stream().anyMatch(XaBranch::hasWork);
        if (transaction.isOnePhase() || !hasWork) {
            return;
        }
        boolean isWrong =
                (transaction.told == Told.COMMITTED && !transaction.isDecided)
                        || (transaction.told == Told.ROLLED_BACK && transaction.isDecided);
        if (isWrong) {
            throw new Violation(
                    "of "
                            + transaction
                            + " the application was told that it is "
                            + transaction.told);
        }
    }

    private static void checkNothingIsLeft(XaNode node) {
        node.work();
        Broker broker = node.broker();
        BrokerAdmin admin = broker.admin();
        var left = broker.state().branches().stream().map(Branch::id).toList();
        require(left.isEmpty(), node, "branches " + left);
        require(broker.state().heuristics().isEmpty(), node, "heuristic outcomes");
        require(admin.activeTransactionCount() == 0, node, "unprepared branches");
        require(admin.connectionCount() == 0, node, "connections");
        require(admin.consumerCount() == 0, node, "consumers");
        for (Subscription each : broker.state().subscriptions()) {
            require(!each.isLocked(), node, "locks of " + each);
        }
    }

    private static void require(boolean isRight, XaNode node, String what) {
        if (!isRight) {
            throw new Violation(node + " has at the end: " + what);
        }
    }

    /** Whether the work of each branch is there; of some only the broker knows. */
    private Map<XaBranch, Boolean> fates(XaNode node) {
        Map<XaBranch, Boolean> fates =
                new TreeMap<>(
                        Comparator.comparingLong((XaBranch branch) -> branch.transaction.number));
        for (XaBranch branch : world.ledger.branches()) {
            if (branch.node == node) {
                Boolean known = branch.isCommitted();
                Outcome outcome = node.broker().state().outcomes().of(branch.id);
                fates.put(branch, known == null ? outcome == Outcome.COMMITTED : known);
            }
        }
        return fates;
    }

    // ---- asking again

    /** What is over is asked for again, as it was and the other way round. */
    private static void askAgain(XaNode node, XaBranch branch, boolean isCommitted) {
        Direct direct = new Direct(node);
        boolean isOnePhase = branch.transaction.isOnePhase();
        Result commit =
                direct.call(
                        "commit",
                        o -> new Command.Commit(branch.id, isOnePhase, Settlement.NONE, o));
        Result rollback =
                direct.call("rollback", o -> new Command.Rollback(branch.id, Settlement.NONE, o));
        boolean isCommitUnknown = commit.error() == ErrorCode.XAER_NOTA;
        boolean isRollbackUnknown = rollback.error() == ErrorCode.XAER_NOTA;
        boolean isRemembered = branch.byHand == null && branch.vote != Vote.READ_ONLY;
        boolean isRight;
        if (isCommitted && isRemembered) {
            isRight = commit.isOk() && isRollbackUnknown;
        } else if (branch.vote == Vote.PREPARED && isRemembered) {
            isRight = commit.error() == ErrorCode.XA_RBROLLBACK && rollback.isOk();
        } else {
            // not known: it did nothing, or an operator's word was forgotten, or it sent nothing
            // and was lost with its broker's process; a late start of such a one is rolled back
            boolean isGone = isOnePhase ? isRolledBack(commit) : isCommitUnknown;
            isRight = (isRolledBack(commit) && rollback.isOk()) || (isGone && isRollbackUnknown);
        }
        if (!isRight) {
            throw new Violation(
                    branch
                            + " "
                            + branch.vote
                            + (isCommitted ? ", which is committed," : ", which is not committed,")
                            + " answers a late commit with "
                            + commit.status()
                            + " "
                            + commit.text()
                            + " and a late rollback with "
                            + rollback.status()
                            + " "
                            + rollback.text());
        }
        direct.close();
    }

    private static boolean isRolledBack(Result result) {
        return result.error() == ErrorCode.XA_RBROLLBACK
                || result.error() == ErrorCode.XA_RBTIMEOUT;
    }

    // ---- messages

    private void checkMessages(XaNode node, Map<XaBranch, Boolean> fates) {
        Map<String, Map<Long, Integer>> stored = new TreeMap<>();
        for (Topic topic : node.broker().state().topics()) {
            stored.put(topic.text(), stored(topic));
        }
        Map<String, Map<Long, Integer>> available = available(node);
        for (XaLedger.Message message : world.ledger.messages()) {
            if (message.node() == node) {
                checkMessage(message, fates, stored, available);
            }
        }
    }

    private static Map<Long, Integer> stored(Topic topic) {
        Map<Long, Integer> counts = new HashMap<>();
        for (Partition partition : topic.partitions()) {
            var log = partition.log();
            for (long s = log.startSequence(); s < log.endSequence(); s++) {
                counts.merge(Payload.idOf(log.bytes(s)), 1, Integer::sum);
            }
        }
        return counts;
    }

    private static Map<String, Map<Long, Integer>> available(XaNode node) {
        Map<String, Map<Long, Integer>> available = new TreeMap<>();
        Direct direct = new Direct(node);
        for (int i = 0; i < XaSession.QUEUES.size(); i++) {
            int consumer = i;
            String queue = XaSession.QUEUES.get(i);
            Map<Long, Integer> counts = new HashMap<>();
            available.put(queue, counts);
            direct.require(
                    "subscribe",
                    o -> new Command.Subscribe(consumer, queue, "", false, false, false, "", o));
            List<Long> ids = direct.acquire(consumer);
            while (!ids.isEmpty()) {
                ids.forEach(id -> counts.merge(id, 1, Integer::sum));
                ids = direct.acquire(consumer);
            }
        }
        direct.close();
        return available;
    }

    private static void checkMessage(
            XaLedger.Message message,
            Map<XaBranch, Boolean> fates,
            Map<String, Map<Long, Integer>> stored,
            Map<String, Map<Long, Integer>> available) {
        XaBranch sender = message.sender();
        boolean isSent = sender == null || fates.getOrDefault(sender, false);
        List<XaBranch> consumers =
                message.consumers().stream()
                        .filter(each -> fates.getOrDefault(each, false))
                        .toList();
        int storedCount = count(stored, message);
        int availableCount = count(available, message);
        int expectedCount = isSent && consumers.isEmpty() ? 1 : 0;
        if (storedCount != (isSent ? 1 : 0)
                || availableCount != expectedCount
                || consumers.size() > (isSent ? 1 : 0)) {
            throw new Violation(
                    "message "
                            + message.id()
                            + " of "
                            + (sender == null ? "the start" : sender)
                            + (isSent ? ", which is committed," : ", which is not committed,")
                            + " is stored "
                            + storedCount
                            + " times and can be received "
                            + availableCount
                            + " times; consumed by "
                            + consumers);
        }
    }

    private static int count(Map<String, Map<Long, Integer>> counts, XaLedger.Message message) {
        return counts.getOrDefault(message.queue(), Map.of()).getOrDefault(message.id(), 0);
    }

    // ---- files

    /** Behind a checkpoint nothing on the disk is kept for what is over. */
    private static void checkFiles(XaNode node) {
        for (int i = 0; i < 2; i++) {
            var unused = node.broker().admin().checkpoint();
            node.work();
            node.runBackground();
            node.work();
        }
        List<String> spills =
                node.disk().files().stream().filter(path -> path.startsWith("spill/")).toList();
        require(spills.isEmpty(), node, "files " + spills);
    }
}
