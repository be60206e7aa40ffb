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
        assertThat(received(uris.get(0))).isEqualTo("chairs");
    }

    /** Transactions that Narayana's log has. */
    private List<Path> logged() throws IOException {
        try (Stream<Path> files = Files.walk(DyingApplication.log(directory))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("AtomicAction"))
                    .toList();
        }
    }

    private static int inDoubt(String uri) throws JMSException, XAException {
        try (XAConnection connection = new MetaQConnectionFactory(uri).createXAConnection()) {
            return connection
                    .createXASession()
                    .getXAResource()
                    .recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)
                    .length;
        }
    }

    private static String received(String uri) throws JMSException {
        return TransactionTestBase.receive(new MetaQConnectionFactory(uri), DyingApplication.QUEUE);
    }
}
