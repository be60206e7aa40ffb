package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metaq.common.BranchId;
import org.metaq.common.DestinationKind;
import org.metaq.protocol.BodyReader;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.BranchStatus.Share;
import org.metaq.protocol.BranchStatus.State;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Settlement;
import org.slf4j.LoggerFactory;

/** What operators see of branches and do with those that are in doubt. */
class InDoubtTest {
    private static final BranchId XID = xid(1);
    private static final int HEADER_LENGTH = 20;

    @TempDir Path root;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private TestBroker broker;
    private TestBroker.Client client;

    @BeforeEach
    void start() {
        broker = new TestBroker(root, BrokerConfig.defaults(0));
        client = connect();
        log.start();
        for (Logger logger : loggers()) {
            logger.setLevel(Level.INFO);
            logger.setAdditive(false);
            logger.addAppender(log);
        }
    }

    @AfterEach
    void stop() {
        loggers().forEach(logger -> logger.detachAppender(log));
    }

    private static List<Logger> loggers() {
        return List.of(
                (Logger) LoggerFactory.getLogger(Decisions.AUDIT_LOGGER),
                (Logger) LoggerFactory.getLogger(InDoubtAlarm.class));
    }

    private List<String> logged() {
        return log.list.stream().map(e -> e.getLevel() + " " + e.getFormattedMessage()).toList();
    }

    private static BranchId xid(int number) {
        return BranchId.xa(100, new byte[] {1, (byte) (number >> 8), (byte) number}, new byte[1]);
    }

    /** An operator's, too. */
    private TestBroker.Client connect() {
        TestBroker.Client opened = broker.connectClassic();
        int version = CommandCodec.PROTOCOL_VERSION;
        opened.ok(o -> new Command.Open(version, "alice", "secret", "billing", o));
        opened.link.isLocal = true;
        return opened;
    }

    private BranchStatus show(BranchId id) throws ProtocolException {
        int opaque = client.submit(o -> new Command.ShowBranch(id, o));
        ByteBuffer body = client.link.values.get(opaque);
        assertThat(body).as("%s", client.link.results.get(opaque)).isNotNull();
        BodyReader in = new BodyReader(body);
        BranchStatus status = BranchStatus.read(in);
        in.end();
        return status;
    }

    private List<String> list(boolean inDoubtOnly) {
        return client.ok(o -> new Command.ListBranches(inDoubtOnly, o)).lines().toList();
    }

    private String decide(BranchId id, Command.Decision decision) {
        return client.answer(o -> new Command.DecideBranch(id, decision, o));
    }

    private void prepare(BranchId id) {
        client.begin(id);
        client.send(client.queue("out"), "m", id);
        client.end(id, Settlement.NONE);
        client.prepare(id);
    }

    private enum Interruption {
        NONE,
        CRASH,
        CLEAN_RESTART
    }

    private void interrupt(Interruption interruption) {
        switch (interruption) {
            case NONE -> client.disconnect();
            case CRASH -> broker.crash();
            case CLEAN_RESTART -> broker.restart();
        }
        client = connect();
    }

    // ---- what is shown

    @ParameterizedTest
    @EnumSource(Interruption.class)
    void shouldTellAllAboutAPreparedBranchAlsoAfterARestart(Interruption interruption)
            throws ProtocolException {
        String in = client.queue("in");
        String out = client.queue("out");
        String topic = client.topic("news");
        List.of("one", "three", "seven").forEach(text -> client.send(in, text));
        long subscription = client.consume(1, in);
        client.receive(1, 3);
        String connection = client.connection.toString();
        long startedMs = broker.wallMs();
        client.begin(XID);
        client.send(out, "12345", XID);
        client.send(topic, "1", XID);
        client.send(out, "123", XID);
        broker.advance(5_000);
        client.end(XID, client.of(subscription, 1, 2));
        client.prepare(XID);
        long preparedMs = broker.wallMs();
        BranchStatus before = show(XID);
        broker.advance(60_000);
        interrupt(interruption);
        assertThat(list(true)).containsExactly(XID.toString());
        assertThat(show(XID)).isEqualTo(before);
        assertThat(before.id()).isEqualTo(XID);
        assertThat(before.state()).isEqualTo(State.PREPARED);
        assertThat(before.origin())
                .isEqualTo(new BranchOrigin(startedMs, "alice", "billing", connection));
        assertThat(before.preparedMs()).isEqualTo(preparedMs);
        assertThat(before.decidedMs()).isZero();
        assertThat(before.sent())
                .containsExactly(
                        new Share(topic, 1, HEADER_LENGTH + 1),
                        new Share(out, 2, 2 * HEADER_LENGTH + 8));
        assertThat(before.acknowledged())
                .containsExactly(new Share(in, 2, 2 * HEADER_LENGTH + "threeseven".length()));
        assertThat(before.pinnedLogBytes()).isEqualTo(2 * HEADER_LENGTH + 10);
        assertThat(before.keptBytes()).isGreaterThan(3 * HEADER_LENGTH + 9);
    }

    @ParameterizedTest
    @EnumSource(Interruption.class)
    void shouldCountWhatASpilledBranchSentWithoutReadingIt(Interruption interruption)
            throws ProtocolException {
        String out = client.queue("out");
        String text = "x".repeat(700_000);
        client.begin(XID);
        for (int i = 0; i < 3; i++) {
            client.send(out, text, XID);
        }
        client.end(XID, Settlement.NONE);
        client.prepare(XID);
        interrupt(interruption);
        BranchStatus status = show(XID);
        assertThat(status.sent())
                .containsExactly(new Share(out, 3, 3 * (HEADER_LENGTH + text.length())));
        assertThat(status.keptBytes()).isBetween(2_100_000L, 2_101_000L);
    }

    @Test
    void shouldTellWhereEachBranchStands() throws ProtocolException {
        client.begin(XID);
        client.send(client.queue("out"), "m", XID);
        assertThat(show(XID).state()).isEqualTo(State.ACTIVE);
        assertThat(show(XID).origin().user()).isEqualTo("alice");
        assertThat(show(XID).sent()).hasSize(1);
        client.ok(o -> new Command.End(XID, 0, Command.EndMode.SUSPEND, Settlement.NONE, o));
        assertThat(show(XID).state()).isEqualTo(State.SUSPENDED);
        client.ok(o -> new Command.Begin(XID, 0, Command.BeginMode.RESUME, 0, o));
        client.end(XID, Settlement.NONE);
        assertThat(show(XID).state()).isEqualTo(State.IDLE);
        assertThat(list(true)).isEmpty();
        assertThat(list(false)).containsExactly(XID.toString());
        client.prepare(XID);
        assertThat(show(XID).state()).isEqualTo(State.PREPARED);
        BranchStatus prepared = show(XID);
        decide(XID, Command.Decision.ROLLBACK);
        assertThat(show(XID).state()).isEqualTo(State.HEURISTIC_ROLLED_BACK);
        assertThat(show(XID).origin()).isEqualTo(prepared.origin());
        assertThat(show(XID).preparedMs()).isEqualTo(prepared.preparedMs());
        assertThat(show(XID).sent()).isEqualTo(prepared.sent()).hasSize(1);
        assertThat(show(XID).decidedMs()).isEqualTo(broker.wallMs());
        assertThat(list(true)).isEmpty();
        assertThat(list(false)).containsExactly(XID.toString());
        client.begin(xid(2));
        client.ok(o -> new Command.End(xid(2), 0, Command.EndMode.FAIL, Settlement.NONE, o));
        assertThat(show(xid(2)).state()).isEqualTo(State.ROLLBACK_ONLY);
        assertThat(client.error(o -> new Command.ShowBranch(xid(3), o)))
                .isEqualTo(ErrorCode.XAER_NOTA);
    }

    @Test
    void shouldShowWhatIsOfThisProcessAloneAsLongAsItIsThere() throws ProtocolException {
        DestinationKind kind = DestinationKind.TEMPORARY_QUEUE;
        String temporary = client.ok(o -> new Command.CreateTemporary(kind, o)).split(" ")[0];
        client.send(temporary, "in");
        long subscription = client.consume(1, temporary);
        client.receive(1, 1);
        client.begin(XID);
        client.send(temporary, "out!", XID);
        client.end(XID, client.of(subscription, 0, 0));
        client.prepare(XID);
        BranchStatus status = show(XID);
        assertThat(status.sent()).containsExactly(new Share(temporary, 1, HEADER_LENGTH + 4));
        assertThat(status.acknowledged())
                .containsExactly(new Share(temporary, 1, HEADER_LENGTH + 2));
        assertThat(status.pinnedLogBytes()).isZero();
    }

    // ---- what is decided

    @Test
    void shouldTellTheManagerWhatWasDecidedUntilThatIsForgotten() throws ProtocolException {
        prepare(XID);
        prepare(xid(2));
        assertThat(decide(XID, Command.Decision.COMMIT)).isEqualTo("200 committed " + XID);
        assertThat(decide(xid(2), Command.Decision.ROLLBACK))
                .isEqualTo("200 rolled back " + xid(2));
        BranchStatus decided = show(XID);
        broker.restart();
        client = connect();
        assertThat(show(XID)).isEqualTo(decided);
        assertThat(decided.origin().user()).isEqualTo("alice");
        assertThat(decided.preparedMs()).isPositive();
        for (int i = 0; i < 2; i++) {
            assertThat(client.error(o -> new Command.Rollback(XID, Settlement.NONE, o)))
                    .isEqualTo(ErrorCode.XA_HEURCOM);
            assertThat(client.error(o -> new Command.Commit(xid(2), false, Settlement.NONE, o)))
                    .isEqualTo(ErrorCode.XA_HEURRB);
        }
        assertThat(client.recover().lines()).containsExactly(XID.toString(), xid(2).toString());
        assertThat(decide(XID, Command.Decision.FORGET)).isEqualTo("200 forgotten " + XID);
        client.ok(o -> new Command.Forget(xid(2), o));
        assertThat(list(false)).isEmpty();
        assertThat(client.error(o -> new Command.Rollback(XID, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XAER_NOTA);
        client.consume(1, client.queue("out"));
        assertThat(client.texts(1, 10)).containsExactly("m");
    }

    @Test
    void shouldNotTakeALostBranchOfTheSameXidForTheOneThatWasCommittedByHand() {
        client.begin(XID);
        client.disconnect();
        client = connect();
        prepare(XID);
        decide(XID, Command.Decision.COMMIT);
        client.ok(o -> new Command.Forget(XID, o));
        assertThat(client.error(o -> new Command.Commit(XID, false, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XAER_NOTA);
        assertThat(client.error(o -> new Command.Rollback(XID, Settlement.NONE, o)))
                .isEqualTo(ErrorCode.XAER_NOTA);
    }

    @Test
    void shouldRefuseToDecideOverWhatIsNotInDoubt() {
        assertThat(decide(XID, Command.Decision.COMMIT)).startsWith("500 XAER_NOTA no branch ");
        client.begin(XID);
        assertThat(decide(XID, Command.Decision.COMMIT))
                .startsWith("500 XAER_PROTO ")
                .contains("only in-doubt branches");
        assertThat(decide(XID, Command.Decision.FORGET)).startsWith("500 XAER_PROTO ");
        prepare(xid(2));
        decide(xid(2), Command.Decision.COMMIT);
        assertThat(decide(xid(2), Command.Decision.ROLLBACK))
                .startsWith("500 XAER_PROTO ")
                .contains("it was committed by hand before");
        assertThat(decide(xid(3), Command.Decision.FORGET)).startsWith("500 XAER_NOTA ");
    }

    @Test
    void shouldSeeWhatCommandsBeforeItDidInTheSameTurn() {
        prepare(XID);
        client.submitOnly(o -> new Command.Commit(XID, false, Settlement.NONE, o));
        assertThat(decide(XID, Command.Decision.ROLLBACK)).startsWith("500 XAER_NOTA ");
    }

    @Test
    void shouldTakeCommandsOfOperatorsFromItsOwnMachineOnly() {
        client.link.isLocal = false;
        for (TestBroker.Client.Request request : requests()) {
            assertThat(client.error(request)).isEqualTo(ErrorCode.FORBIDDEN);
        }
        TestBroker.Client silent = broker.connectClassic();
        silent.link.isLocal = true;
        assertThat(silent.ok(o -> new Command.ListBranches(false, o))).isEmpty();
    }

    @Test
    void shouldWantASessionWhereNobodyIsServedWithoutOne() {
        broker.broker.authenticator(
                new Authenticator() {
                    @Override
                    public void authenticate(String user, String password, Reply reply) {
                        reply.accepted();
                    }

                    @Override
                    public boolean allowsAnonymous() {
                        return false;
                    }
                });
        assertThat(list(false)).isEmpty();
        TestBroker.Client nobody = broker.connectClassic();
        nobody.link.isLocal = true;
        for (TestBroker.Client.Request request : requests()) {
            assertThat(nobody.error(request)).isEqualTo(ErrorCode.UNAUTHORIZED);
        }
    }

    private static List<TestBroker.Client.Request> requests() {
        return List.of(
                o -> new Command.ListBranches(false, o),
                o -> new Command.ShowBranch(XID, o),
                o -> new Command.DecideBranch(XID, Command.Decision.COMMIT, o));
    }

    @Test
    void shouldWriteEveryDecisionToTheAuditLog() {
        prepare(XID);
        decide(XID, Command.Decision.COMMIT);
        decide(XID, Command.Decision.COMMIT);
        decide(XID, Command.Decision.FORGET);
        var unused = broker.broker.admin().rollbackHeuristically(XID.toString());
        assertThat(logged())
                .containsExactly(
                        "INFO decision=COMMIT xid="
                                + XID
                                + " user=alice from=test outcome=\"done\"",
                        "INFO decision=COMMIT xid="
                                + XID
                                + " user=alice from=test outcome=\"refused XAER_PROTO: "
                                + XID
                                + " is not prepared: it was committed by hand before\"",
                        "INFO decision=FORGET xid="
                                + XID
                                + " user=alice from=test outcome=\"done\"",
                        "INFO decision=ROLLBACK xid="
                                + XID
                                + " user=- from=JMX outcome=\"refused XAER_NOTA: no branch "
                                + XID
                                + "\"");
    }

    @Test
    void shouldLetNobodyForgeALineOfTheAuditLog() {
        TestBroker.Client forger = broker.connectClassic();
        forger.link.isLocal = true;
        int version = CommandCodec.PROTOCOL_VERSION;
        forger.ok(o -> new Command.Open(version, "x from=JMX\nINFO decision", "", "", o));
        BranchId odd = BranchId.parse("XID:1:01:02:a\nb");
        forger.submit(o -> new Command.DecideBranch(odd, Command.Decision.COMMIT, o));
        assertThat(logged())
                .singleElement()
                .asString()
                .doesNotContain("\n")
                .contains(" user=x?from=JMX?INFO?decision from=test ");
    }

    // ---- the alarm

    @Test
    void shouldWarnOfAnOldBranchOnceAndAgainWhenItEnds() {
        broker.broker.warnOfInDoubt(60_000);
        prepare(XID);
        prepare(xid(2));
        broker.advance(59_999);
        assertThat(logged()).isEmpty();
        broker.advance(1_001);
        broker.advance(5_000);
        assertThat(logged())
                .hasSize(2)
                .allMatch(line -> line.startsWith("WARN in-doubt xid="))
                .allMatch(line -> line.contains("preparedAt=2023-11-14T"));
        client.commit(XID, false);
        decide(xid(2), Command.Decision.ROLLBACK);
        log.list.clear();
        broker.advance(1_001);
        broker.advance(5_000);
        assertThat(logged())
                .containsExactly(
                        "WARN in-doubt-ended xid=" + XID + " outcome=COMMITTED",
                        "WARN in-doubt-ended xid=" + xid(2) + " outcome=ROLLED_BACK by hand");
    }

    @Test
    void shouldSpreadTheWarningsOfManyBranches() {
        broker.broker.warnOfInDoubt(1_000);
        int count = InDoubtAlarm.WARNINGS_MAX + 20;
        IntStream.range(0, count).forEach(i -> prepare(xid(i)));
        broker.advance(1_001);
        assertThat(logged()).hasSize(InDoubtAlarm.WARNINGS_MAX);
        broker.advance(1_001);
        broker.advance(1_001);
        assertThat(logged()).hasSize(count).doesNotHaveDuplicates();
    }

    @Test
    void shouldNotWarnUnlessItIsAskedTo() {
        prepare(XID);
        broker.advance(1L << 40);
        broker.broker.warnOfInDoubt(0);
        broker.advance(1_001);
        assertThat(logged()).isEmpty();
    }

    @Test
    void shouldTellTheAgeOfTheOldest() {
        assertThat(broker.broker.admin().inDoubt()).isEqualTo(new BrokerAdmin.InDoubt(0, 0));
        client.begin(xid(2));
        client.send(client.queue("out"), "m", xid(2));
        prepare(XID);
        long oldestMs = broker.wallMs();
        broker.advance(500);
        client.end(xid(2), Settlement.NONE);
        client.prepare(xid(2));
        assertThat(broker.broker.admin().inDoubt()).isEqualTo(new BrokerAdmin.InDoubt(2, oldestMs));
    }
}
