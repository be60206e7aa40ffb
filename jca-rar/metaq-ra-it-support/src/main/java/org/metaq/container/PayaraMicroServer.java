package org.metaq.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A Payara Micro. Its root directory stays from start to start, and with it configuration,
 * applications and transaction log. It has no administration: applications come and go by a
 * directory that it watches.
 */
public final class PayaraMicroServer extends AppServer {
    /** Its root directory within its own. */
    public static final String ROOT = "root";

    private static final String JAR = "payara-micro.jar";
    private static final String SETUP = "setup.asadmin";

    /** Commands of each start. */
    private static final String PRE_BOOT = "pre-boot.asadmin";

    private static final String PORT = "http-port.txt";
    private static final String WATCHED = ROOT + "/autodeploy";

    private static final String LOOPBACK =
            "set configs.config.server-config.network-config.network-listeners.network-listener"
                    + ".http-listener.address=127.0.0.1";

    /** What it says of a command that failed; it goes on then. */
    private static final Pattern FAILED = Pattern.compile("Boot Command \\S+ failed ");

    private final Path home;
    private final Path base;
    private final int port;

    /**
     * A server that does not run.
     *
     * @param home directory of {@code payara-micro.jar}
     * @param base its own directory, see {@link #configure}
     */
    public PayaraMicroServer(Path home, Path base) throws IOException {
        super(base.toAbsolutePath(), base.toAbsolutePath().resolve("console.log"));
        this.home = home.toAbsolutePath();
        this.base = base.toAbsolutePath();
        this.port = Integer.parseInt(Files.readString(this.base.resolve(PORT)));
    }

    /**
     * Makes a root directory by a start that runs a file of commands.
     *
     * @param base does not exist
     * @throws IOException if a command fails; the message has the output
     */
    public static void configure(Path home, Path base, Script script)
            throws IOException, InterruptedException {
        Path setup = script.writeTo(base.resolve(SETUP)).toAbsolutePath();
        Files.writeString(base.resolve(PRE_BOOT), LOOPBACK + "\n");
        Files.writeString(base.resolve(PORT), Integer.toString(Ports.free()));
        try (PayaraMicroServer server = new PayaraMicroServer(home, base)) {
            List<String> command = server.command();
            command.addAll(List.of("--postbootcommandfile", setup.toString(), "--warmup"));
            String said = Command.run(command, server.base, START_MAX);
            if (FAILED.matcher(said).find()) {
                throw new IOException("a command failed:\n" + said);
            }
        }
    }

    @Override
    List<String> command() {
        List<String> command = new ArrayList<>(Command.java(JVM_OPTIONS));
        command.addAll(List.of("-jar", home.resolve(JAR).toString(), "--nohazelcast"));
        command.addAll(List.of("--rootdir", base.resolve(ROOT).toString()));
        command.addAll(List.of("--port", Integer.toString(port)));
        command.addAll(List.of("--prebootcommandfile", base.resolve(PRE_BOOT).toString()));
        return command;
    }

    @Override
    String input() {
        return "";
    }

    @Override
    boolean isStarted(LogTail said) {
        return said.contains(") ready in ");
    }

    /** Adds a command that each start runs before it starts anything else. */
    public void addPreBootCommand(String line) throws IOException {
        Files.writeString(base.resolve(PRE_BOOT), line + "\n", StandardOpenOption.APPEND);
    }

    /** Has a server that does not run deploy an application when it starts. */
    public static void deployAtStart(Path base, Path archive) throws IOException {
        Path watched = Files.createDirectories(base.resolve(WATCHED));
        // Moved, so that a server never sees a part of it.
        Path copy = base.resolve(archive.getFileName());
        Files.copy(archive, copy, StandardCopyOption.REPLACE_EXISTING);
        Files.move(
                copy,
                watched.resolve(archive.getFileName()),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void deploy(Path archive) throws IOException, InterruptedException {
        String name = archive.getFileName().toString();
        Files.deleteIfExists(watched(name + "_deployed"));
        Files.deleteIfExists(watched(name + "_deployFailed"));
        deployAtStart(base, archive);
        await(name + "_deployed", name + "_deployFailed");
    }

    @Override
    public void undeploy(String name) throws IOException, InterruptedException {
        Files.deleteIfExists(watched(name + "_undeployed"));
        Files.deleteIfExists(watched(name + "_undeployFailed"));
        Files.delete(watched(name));
        await(name + "_undeployed", name + "_undeployFailed");
    }

    /** Waits for one of two marks that the server makes. */
    private void await(String done, String failed) throws IOException, InterruptedException {
        Command.await(
                () -> Files.exists(watched(done)) || Files.exists(watched(failed)), DEPLOY_MAX);
        if (!Files.exists(watched(done))) {
            throw new IOException("not " + done + "; see " + log());
        }
    }

    private Path watched(String name) {
        return base.resolve(WATCHED).resolve(name);
    }

    @Override
    public void restart(int times, String... names) {
        throw noAdministration();
    }

    @Override
    public void disable(String... names) {
        throw noAdministration();
    }

    @Override
    public int httpPort() {
        return port;
    }

    @Override
    public int adminPort() {
        throw noAdministration();
    }

    private static UnsupportedOperationException noAdministration() {
        return new UnsupportedOperationException("Payara Micro has no administration");
    }
}
