package org.metaq.narayana;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.narayana.TestDatabase.Step;
import org.metaq.server.BrokerProcess;

/**
 * An application that dies within a commit, after the first broker's part of it and before that of
 * the second, and is started again.
 */
@Timeout(180)
class DeathIT {
    @TempDir Path directory;

    private final List<BrokerProcess> brokers = new ArrayList<>();

    @AfterEach
    void stopBrokers() throws InterruptedException {
        for (BrokerProcess broker : brokers) {
            broker.close();
        }
    }

    private List<String> startBrokers(int count) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            brokers.add(BrokerProcess.on(directory.resolve("data" + i)).start());
        }
        return brokers.stream().map(broker -> "metaq://127.0.0.1:" + broker.port()).toList();
    }

    /** The broker's branch is done, and not there any more when the application comes back. */
    @ParameterizedTest
    @EnumSource(names = {"COMMIT", "COMMITTED"})
    void shouldLeaveNothingInTheLogOfWhatTheBrokerHadDone(Step death) throws Exception {
        List<String> uris = startBrokers(1);
        DyingApplication.runUntil(death, directory, uris);
        assertThat(logged()).hasSize(1);
        assertThat(inDoubt(uris.get(0))).isZero();
        assertThat(DyingApplication.recover(directory, uris)).isEqualTo("[chairs]");
        assertThat(logged()).isEmpty();
        assertThat(TransactionTestBase.drain(uris.get(0), DyingApplication.QUEUE))
                .containsExactly("chairs");
    }

    /** It dies before the second broker is asked to commit; in one case before the database is. */
    @ParameterizedTest
    @EnumSource(names = {"COMMIT", "COMMITTED"})
    void shouldCommitInBothBrokersWhatWasDecided(Step death) throws Exception {
        List<String> uris = startBrokers(2);
        DyingApplication.runUntil(death, directory, uris);
        assertThat(logged()).hasSize(1);
        assertThat(inDoubt(uris.get(0))).isZero();
        assertThat(inDoubt(uris.get(1))).isEqualTo(1);
        assertThat(DyingApplication.recover(directory, uris)).isEqualTo("[chairs]");
        assertThat(logged()).isEmpty();
        for (String uri : uris) {
            assertThat(inDoubt(uri)).isZero();
            assertThat(TransactionTestBase.drain(uri, DyingApplication.QUEUE))
                    .containsExactly("chairs");
        }
    }

    /** It dies when the first broker is prepared, and nobody else. */
    @Test
    void shouldRollBackInBothBrokersWhatWasNotDecided() throws Exception {
        List<String> uris = startBrokers(2);
        DyingApplication.runUntil(Step.PREPARE, directory, uris);
        assertThat(logged()).isEmpty();
        assertThat(inDoubt(uris.get(0))).isEqualTo(1);
        assertThat(inDoubt(uris.get(1))).isZero();
        assertThat(DyingApplication.recover(directory, uris)).isEqualTo("[]");
        for (String uri : uris) {
            assertThat(inDoubt(uri)).isZero();
            assertThat(TransactionTestBase.drain(uri, DyingApplication.QUEUE)).isEmpty();
        }
    }

    /** Transactions that Narayana's log has. */
    private List<Path> logged() throws IOException {
        try (Stream<Path> files = Files.walk(DyingApplication.log(directory))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("AtomicAction"))
                    .toList();
        }
    }

    /** Branches that a broker lists as prepared. */
    static int inDoubt(String uri) throws XAException {
        try (XAConnection connection = new MetaQConnectionFactory(uri).createXAConnection()) {
            return connection
                    .createXASession()
                    .getXAResource()
                    .recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)
                    .length;
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static String received(String uri) throws JMSException {
        return TransactionTestBase.receive(new MetaQConnectionFactory(uri), DyingApplication.QUEUE);
    }
}
