package org.metaq.tck;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The JVM in which tests run, as seen by who starts it. Confined to one thread. */
final class WorkerProcess {
    private final Process process;
    private final DataOutputStream commands;
    private final DataInputStream events;

    private WorkerProcess(Process process) {
        this.process = process;
        this.commands = new DataOutputStream(process.getOutputStream());
        this.events = new DataInputStream(new BufferedInputStream(process.getInputStream()));
    }

    /**
     * Starts one.
     *
     * @param directory where it runs; its own
     * @param port of the broker
     * @throws TckException if it does not start
     */
    static WorkerProcess start(RunSettings settings, Path directory, int port) throws TckException {
        try {
            AdministeredObjects.write(directory, port);
            Path temporary = Files.createDirectories(directory.resolve("tmp"));
            List<Path> classPath = new ArrayList<>();
            classPath.add(directory);
            classPath.addAll(settings.distribution().runner());
            classPath.addAll(settings.distribution().client());
            classPath.addAll(settings.tck().jars());
            return new WorkerProcess(
                    Java.start(
                            options(settings, temporary),
                            classPath,
                            WorkerMain.class.getName(),
                            List.of(
                                    settings.logs().toString(),
                                    String.valueOf(settings.testLimitMs())),
                            directory,
                            directory.resolve("tests.log")));
        } catch (IOException e) {
            throw new TckException("cannot prepare the JVM of the tests: " + e, e);
        }
    }

    /** The properties are what the TCK's tests ask for. */
    private static List<String> options(RunSettings settings, Path temporary) {
        return List.of(
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-Dorg.metaq.jms.allowedClasses=" + TestId.ROOT + ".*",
                "-Djms_timeout=" + settings.timeoutMs(),
                "-Duser=" + RunSettings.USER,
                "-Dpassword=" + RunSettings.PASSWORD,
                "-Dplatform.mode=standalone",
                "-Dvehicle=standalone");
    }

    /** Has tests run; {@link #next} tells how they end. */
    void run(TestClass tests) throws IOException {
        commands.writeUTF(tests.name());
        commands.writeInt(tests.methods().size());
        for (String method : tests.methods()) {
            commands.writeUTF(method);
        }
        commands.flush();
    }

    /** Waits for what happens next; empty when the JVM has ended. */
    Optional<WorkerEvent> next() throws IOException {
        return WorkerEvent.read(events);
    }

    void stop() throws InterruptedException {
        Java.stop(process);
    }
}
