package org.metaq.jms.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.ObjectName;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metaq.common.BranchId;
import org.metaq.jms.destination.MetaQQueue;

/**
 * {@code XAResource} by a table, {@code xa-states.txt}: each call, with each flag, in each state of
 * a branch; what it answers, and what becomes of a message that was sent in the branch.
 */
class XaStateTableIT extends BrokerTestBase {
    private static final int TIMEOUT_SECONDS = 1;

    private static final Map<String, Integer> FLAGS =
            Map.of(
                    "NOFLAGS", XAResource.TMNOFLAGS,
                    "JOIN", XAResource.TMJOIN,
                    "RESUME", XAResource.TMRESUME,
                    "SUCCESS", XAResource.TMSUCCESS,
                    "FAIL", XAResource.TMFAIL,
                    "SUSPEND", XAResource.TMSUSPEND);

    private static final Map<Integer, String> CODES =
            Map.ofEntries(
                    Map.entry(XAException.XAER_NOTA, "NOTA"),
                    Map.entry(XAException.XAER_PROTO, "PROTO"),
                    Map.entry(XAException.XAER_DUPID, "DUPID"),
                    Map.entry(XAException.XAER_INVAL, "INVAL"),
                    Map.entry(XAException.XA_RBROLLBACK, "RBROLLBACK"),
                    Map.entry(XAException.XA_RBTIMEOUT, "RBTIMEOUT"),
                    Map.entry(XAException.XA_HEURCOM, "HEURCOM"),
                    Map.entry(XAException.XA_HEURRB, "HEURRB"));

    private static final List<String> CALLS =
            List.of(
                    "start NOFLAGS",
                    "start JOIN",
                    "start RESUME",
                    "start JOIN|RESUME",
                    "start FAIL",
                    "end SUCCESS",
                    "end FAIL",
                    "end SUSPEND",
                    "end SUCCESS|FAIL",
                    "end NOFLAGS",
                    "prepare",
                    "commit one-phase",
                    "commit two-phase",
                    "rollback",
                    "forget",
                    "recover");

    /** How a branch comes into its state; {@code here} is the session that is called then. */
    private enum State {
        UNKNOWN(s -> {}),
        UNKNOWN_WHILE_BUSY(Scene::busy),
        ACTIVE(s -> s.work(s.here)),
        ACTIVE_IN_SESSION(s -> s.work(s.sibling)),
        ACTIVE_IN_CONNECTION(s -> s.work(s.remote)),
        SUSPENDED(s -> s.workAndEnd(s.here, XAResource.TMSUSPEND)),
        SUSPENDED_IN_SESSION(s -> s.workAndEnd(s.sibling, XAResource.TMSUSPEND)),
        SUSPENDED_IN_CONNECTION(s -> s.workAndEnd(s.remote, XAResource.TMSUSPEND)),
        IDLE(s -> s.workAndEnd(s.here, XAResource.TMSUCCESS)),
        IDLE_IN_CONNECTION(s -> s.workAndEnd(s.remote, XAResource.TMSUCCESS)),
        IDLE_WHILE_BUSY(
                s -> {
                    s.workAndEnd(s.here, XAResource.TMSUCCESS);
                    s.busy();
                }),
        IDLE_WITHOUT_WORK(Scene::idleWithoutWork),
        FAILED(s -> s.workAndEnd(s.here, XAResource.TMFAIL)),
        TIMED_OUT(s -> s.workAndEnd(s.here, XAResource.TMSUCCESS), Then.TIME_PASSES),
        TIMED_OUT_ACTIVE(s -> s.work(s.here), Then.TIME_PASSES),
        CONNECTION_LOST(s -> s.workAndEnd(s.remote, XAResource.TMSUCCESS), Then.REMOTE_IS_LOST),
        PREPARED(Scene::prepare),
        PREPARED_RESTARTED(Scene::prepare, Then.BROKER_RESTARTS),
        PREPARED_LONG_AGO(Scene::prepare, Then.TIME_PASSES),
        COMMITTED(Scene::commit),
        COMMITTED_ONE_PHASE(
                s -> {
                    s.workAndEnd(s.here, XAResource.TMSUCCESS);
                    s.here.getXAResource().commit(s.xid, true);
                }),
        COMMITTED_RESTARTED(Scene::commit, Then.BROKER_RESTARTS),
        ROLLED_BACK(Scene::rollback),
        ROLLED_BACK_RESTARTED(Scene::rollback, Then.BROKER_RESTARTS),
        READ_ONLY(
                s -> {
                    s.idleWithoutWork();
                    s.here.getXAResource().prepare(s.xid);
                }),
        HEURISTICALLY_COMMITTED(s -> s.settleByHand("commitHeuristically")),
        HEURISTICALLY_ROLLED_BACK(s -> s.settleByHand("rollbackHeuristically"));

        final Way way;
        final Then then;

        State(Way way) {
            this(way, Then.NOTHING);
        }

        State(Way way, Then then) {
            this.way = way;
            this.then = then;
        }
    }

    private interface Way {
        void go(Scene scene) throws Exception;
    }

    /** What happens once all branches of a state are as far as they come by calls. */
    private enum Then {
        NOTHING,
        TIME_PASSES,
        REMOTE_IS_LOST,
        BROKER_RESTARTS
    }

    /** A line of the table, without the reason. */
    private record Row(String state, String call, String answer, String message) {
        static Row parse(String line) {
            String[] cells = line.split("\\s+\\|\\s*", -1);
            return new Row(cells[0], cells[1], cells[2], cells[3]);
        }

        String key() {
            return state + " " + call;
        }
    }

    /** A branch, and the sessions that may have to do with it. */
    private final class Scene {
        final Xid xid = Xids.next();
        final MetaQQueue queue = newQueue();
        final XASession sibling;
        final XASession remote;
        XASession here;

        Scene(XAConnection near, XAConnection far, Then then) throws Exception {
            here = near.createXASession();
            sibling = near.createXASession();
            remote = far.createXASession();
            if (then == Then.TIME_PASSES) {
                here.getXAResource().setTransactionTimeout(TIMEOUT_SECONDS);
            }
        }

        void busy() throws Exception {
            here.getXAResource().start(Xids.next(), XAResource.TMNOFLAGS);
        }

        void work(XASession session) throws Exception {
            session.getXAResource().start(xid, XAResource.TMNOFLAGS);
            send(session, queue, "m");
        }

        void workAndEnd(XASession session, int flags) throws Exception {
            work(session);
            session.getXAResource().end(xid, flags);
        }

        void idleWithoutWork() throws Exception {
            here.getXAResource().start(xid, XAResource.TMNOFLAGS);
            here.getXAResource().end(xid, XAResource.TMSUCCESS);
        }

        void prepare() throws Exception {
            workAndEnd(here, XAResource.TMSUCCESS);
            here.getXAResource().prepare(xid);
        }

        void commit() throws Exception {
            prepare();
            here.getXAResource().commit(xid, false);
        }

        void rollback() throws Exception {
            prepare();
            here.getXAResource().rollback(xid);
        }

        void settleByHand(String operation) throws Exception {
            prepare();
            String key =
                    BranchId.xa(
                                    xid.getFormatId(),
                                    xid.getGlobalTransactionId(),
                                    xid.getBranchQualifier())
                            .toString();
            ObjectName bean = new ObjectName("org.metaq:type=Transactions,id=0,port=" + port());
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            bean,
                            operation,
                            new Object[] {key},
                            new String[] {String.class.getName()});
        }

        /** Ends and commits the branch, if that can be done at all. */
        void finish() {
            for (XASession each : List.of(here, sibling, remote)) {
                answer(() -> each.getXAResource().end(xid, XAResource.TMSUCCESS));
            }
            answer(() -> here.getXAResource().commit(xid, true));
            answer(() -> here.getXAResource().commit(xid, false));
        }
    }

    private interface XaCall {
        void run() throws XAException;
    }

    private static String answer(XaCall call) {
        try {
            call.run();
            return "OK";
        } catch (XAException e) {
            return CODES.getOrDefault(e.errorCode, "code " + e.errorCode);
        }
    }

    private static List<Row> table() throws IOException {
        try (InputStream in = XaStateTableIT.class.getResourceAsStream("xa-states.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Row::parse)
                    .toList();
        }
    }

    @Test
    @Spec("all of them")
    void shouldHaveALineForEachStateAndCallInTheTable() throws Exception {
        List<String> all = new ArrayList<>();
        for (State state : State.values()) {
            CALLS.forEach(call -> all.add(state + " " + call));
        }
        assertThat(table()).map(Row::key).containsExactlyInAnyOrderElementsOf(all);
    }

    @ParameterizedTest
    @EnumSource
    @Spec("X/Open XA chapters 5 and 6; javax.transaction.xa.XAResource")
    void shouldAnswerAsTheTableSays(State state) throws Exception {
        List<Row> should =
                table().stream().filter(row -> row.state().equals(state.name())).toList();
        XAConnection near = connectXa();
        XAConnection far = connectXa();
        Map<Row, Scene> scenes = new LinkedHashMap<>();
        for (Row row : should) {
            Scene scene = new Scene(near, far, state.then);
            scenes.put(row, scene);
            state.way.go(scene);
        }
        happen(state.then, far, scenes.values());
        Session observer = connect().createSession();
        List<Row> is = new ArrayList<>();
        for (Map.Entry<Row, Scene> each : scenes.entrySet()) {
            String call = each.getKey().call();
            Scene scene = each.getValue();
            String answer = call(call, scene.here.getXAResource(), scene.xid);
            is.add(new Row(state.name(), call, answer, whenSeen(scene, observer)));
        }
        assertThat(is).containsExactlyElementsOf(should);
    }

    @Test
    @Spec("XAResource.setTransactionTimeout, getTransactionTimeout")
    void shouldTakeEachTimeoutThatIsNotNegative() throws Exception {
        XAResource resource = connectXa().createXASession().getXAResource();
        assertThat(answer(() -> resource.setTransactionTimeout(-1))).isEqualTo("INVAL");
        assertThat(resource.getTransactionTimeout()).as("the broker's").isEqualTo(60);
        for (int seconds : new int[] {1, 3600, Integer.MAX_VALUE}) {
            assertThat(resource.setTransactionTimeout(seconds)).isTrue();
            assertThat(resource.getTransactionTimeout()).isEqualTo(seconds);
            Xid xid = Xids.next();
            resource.start(xid, XAResource.TMNOFLAGS);
            resource.end(xid, XAResource.TMSUCCESS);
            resource.rollback(xid);
        }
        assertThat(resource.setTransactionTimeout(0)).isTrue();
        assertThat(resource.getTransactionTimeout()).as("the broker's again").isEqualTo(60);
    }

    private void happen(Then then, XAConnection far, Iterable<Scene> scenes) throws Exception {
        switch (then) {
            case NOTHING -> {}
            case TIME_PASSES -> {
                // of the same length, and begun last
                XAResource last = far.createXASession().getXAResource();
                last.setTransactionTimeout(TIMEOUT_SECONDS);
                Xid xid = Xids.next();
                last.start(xid, XAResource.TMNOFLAGS);
                XAResource observer = connectXa().createXASession().getXAResource();
                await().until(
                                () -> answer(() -> observer.start(xid, XAResource.TMRESUME)),
                                "RBTIMEOUT"::equals);
            }
            case REMOTE_IS_LOST -> {
                far.close();
                for (Scene scene : scenes) {
                    XAResource here = scene.here.getXAResource();
                    await().until(
                                    () -> answer(() -> here.start(scene.xid, XAResource.TMRESUME)),
                                    code -> !code.equals("PROTO"));
                }
            }
            case BROKER_RESTARTS -> {
                restartBroker();
                XAConnection fresh = connectXa();
                for (Scene scene : scenes) {
                    scene.here = fresh.createXASession();
                }
            }
        }
    }

    private static String call(String call, XAResource resource, Xid xid) throws XAException {
        String[] words = call.split(" ");
        int flags =
                words[0].equals("start") || words[0].equals("end")
                        ? Stream.of(words[1].split("\\|")).mapToInt(FLAGS::get).sum()
                        : 0;
        return switch (words[0]) {
            case "start" -> answer(() -> resource.start(xid, flags));
            case "end" -> answer(() -> resource.end(xid, flags));
            case "commit" -> answer(() -> resource.commit(xid, words[1].equals("one-phase")));
            case "rollback" -> answer(() -> resource.rollback(xid));
            case "forget" -> answer(() -> resource.forget(xid));
            case "recover" -> isListed(resource, xid) ? "listed" : "not listed";
            case "prepare" -> {
                int[] vote = new int[1];
                String answer = answer(() -> vote[0] = resource.prepare(xid));
                yield vote[0] == XAResource.XA_RDONLY ? "RDONLY" : answer;
            }
            default -> throw new AssertionError("no call " + call);
        };
    }

    private static boolean isListed(XAResource resource, Xid xid) throws XAException {
        Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        return Arrays.stream(found).anyMatch(each -> Xids.isSame(each, xid));
    }

    private static String whenSeen(Scene scene, Session observer) throws JMSException {
        int before = take(scene.queue, observer);
        scene.finish();
        int after = take(scene.queue, observer);
        return switch (before + " " + after) {
            case "0 0" -> "never";
            case "0 1" -> "later";
            case "1 0" -> "now";
            default -> before + " and " + after;
        };
    }

    private static int take(MetaQQueue queue, Session observer) throws JMSException {
        MessageConsumer consumer = observer.createConsumer(queue);
        int count = 0;
        while (consumer.receiveNoWait() != null) {
            count++;
        }
        consumer.close();
        return count;
    }
}
