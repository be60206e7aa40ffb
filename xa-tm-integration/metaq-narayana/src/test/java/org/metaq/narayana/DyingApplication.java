package org.metaq.narayana;

import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.narayana.TestDatabase.Step;

/**
 * An application in a JVM of its own. It sends to a broker, writes into a database and sends to
 * further brokers, all in one transaction, and dies when the database comes to a step; or, started
 * again, it recovers.
 */
final class DyingApplication {
    /** Of each broker. */
    static final MetaQQueue QUEUE = new MetaQQueue("orders");

    private static final int DEATH = 77;
    private static final String RECOVER = "recover";
    private static final String LAST_SCAN = "last scan";

    private DyingApplication() {}

    /** Directory, step or {@link #RECOVER}, URIs of the brokers. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        RecoveryManager recovery = Narayana.recoveryManager(log(directory));
        try (TestDatabase database = new TestDatabase(directory)) {
            List<MetaQConnectionFactory> brokers = new ArrayList<>();
            for (String uri : List.of(args).subList(2, args.length)) {
                brokers.add(new MetaQConnectionFactory(uri));
            }
            if (args[1].equals(RECOVER)) {
                brokers.forEach(MetaQRecovery::register);
                recovery.scan();
                recovery.scan();
                System.out.println(LAST_SCAN);
                recovery.scan();
                System.out.println(database.texts());
            } else {
                database.create();
                send(brokers, database, Step.valueOf(args[1]));
            }
        }
        // Narayana's and the brokers' threads do not matter any more.
        System.exit(0);
    }

    private static void send(
            List<MetaQConnectionFactory> brokers, TestDatabase database, Step death)
            throws Exception {
        TransactionManager manager = Narayana.transactionManager();
        manager.begin();
        for (int i = 0; i < brokers.size(); i++) {
            TransactionTestBase.send(
                    MetaQNarayana.connectionFactory(brokers.get(i)), QUEUE, "chairs");
            if (i == 0) {
                database.insert(manager, "chairs", step -> dieAt(death, step));
            }
        }
        manager.commit();
    }

    private static void dieAt(Step death, Step step) {
        if (step == death) {
            Runtime.getRuntime().halt(DEATH);
        }
    }

    // ---- for the test

    /** Where Narayana's log is. */
    static Path log(Path directory) {
        return directory.resolve("log");
    }

    /** Starts it, and returns when it has died. */
    static void runUntil(Step death, Path directory, List<String> uris)
            throws IOException, InterruptedException {
        run(directory, death.name(), uris, DEATH);
    }

    /**
     * Starts it, and has it recover in three scans.
     *
     * @return what it says from the last of them on: the database's rows, and what is logged
     */
    static String recover(Path directory, List<String> uris)
            throws IOException, InterruptedException {
        String output = run(directory, RECOVER, uris, 0);
        return output.substring(output.indexOf(LAST_SCAN) + LAST_SCAN.length()).strip();
    }

    private static String run(Path directory, String task, List<String> uris, int expectedStatus)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(DyingApplication.class.getName());
        command.add(directory.toString());
        command.add(task);
        command.addAll(uris);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != expectedStatus) {
                throw new AssertionError("exit status " + status + ", output:\n" + output);
            }
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}
