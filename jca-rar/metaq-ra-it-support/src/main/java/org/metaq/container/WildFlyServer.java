package org.metaq.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A WildFly. Its base directory is a copy of the {@code standalone} of an unpacked server, which
 * itself is only read; applications are deployed by the directory {@code deployments}.
 */
public final class WildFlyServer extends AppServer {
    private static final List<String> SMALL =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final Duration CLI_MAX = Duration.ofMinutes(2);

    /** What the server's own start script opens of the JDK. */
    private static final List<String> OPENED =
            List.of(
                    "--add-exports=java.desktop/sun.awt=ALL-UNNAMED",
                    "--add-exports=java.naming/com.sun.jndi.ldap=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                    "--add-opens=java.base/java.io=ALL-UNNAMED",
                    "--add-opens=java.base/java.net=ALL-UNNAMED",
                    "--add-opens=java.base/java.security=ALL-UNNAMED",
                    "--add-opens=java.base/java.util=ALL-UNNAMED",
                    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                    "--add-opens=java.management/javax.management=ALL-UNNAMED",
                    "--add-opens=java.naming/javax.naming=ALL-UNNAMED");

    /** A scan for interrupted transactions every three seconds, instead of every two minutes. */
    private static final List<String> FAST_RECOVERY =
            List.of(
                    "-DRecoveryEnvironmentBean.periodicRecoveryPeriod=2",
                    "-DRecoveryEnvironmentBean.recoveryBackoffPeriod=1",
                    "-DJTAEnvironmentBean.orphanSafetyInterval=5000");

    private final Path home;
    private final Path base;
    private final List<String> jvmOptions;
    private final int httpPort = Ports.free();
    private final int managementPort = Ports.free();

    /**
     * A server that does not run yet, small, and quick in recovery.
     *
     * @param home an unpacked WildFly
     * @param base its base directory, see {@link #configure}
     */
    public WildFlyServer(Path home, Path base) throws IOException {
        this(home, base, Stream.concat(JVM_OPTIONS.stream(), FAST_RECOVERY.stream()).toList());
    }

    /**
     * A server that does not run yet.
     *
     * @param home an unpacked WildFly
     * @param base its base directory, see {@link #configure}
     * @param jvmOptions of its JVM, beyond places and ports
     */
    public WildFlyServer(Path home, Path base, List<String> jvmOptions) throws IOException {
        super(base.toAbsolutePath(), base.toAbsolutePath().resolve("console.log"));
        this.home = home.toAbsolutePath();
        this.base = base.toAbsolutePath();
        this.jvmOptions = List.copyOf(jvmOptions);
    }

    /**
     * Makes a base directory and runs a script of the server's command line on it, offline.
     *
     * @param base does not exist
     * @throws IOException if a command fails; the message has the output
     */
    public static void configure(Path home, Path base, Script script)
            throws IOException, InterruptedException {
        Path directory = base.toAbsolutePath();
        Trees.copy(home.resolve("standalone"), directory);
        Path file = script.writeTo(directory.resolve("tmp/setup.cli"));
        runCli(home.toAbsolutePath(), directory, "--file=" + file);
        Path configuration = directory.resolve("configuration/standalone.xml");
        // New applications are seen at once.
        Script.of(configuration)
                .with("scan-interval=\"5000\"", "scan-interval=\"300\"")
                .writeTo(configuration);
        Trees.delete(directory.resolve("configuration/standalone_xml_history"));
    }

    private static String runCli(Path home, Path base, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        // Offline it asks for the server's place in the environment.
        command.addAll(List.of("env", "JBOSS_HOME=" + home));
        command.addAll(Command.java(SMALL));
        command.addAll(OPENED);
        command.add("-Djboss.server.base.dir=" + base);
        command.addAll(modules(home, "org.jboss.as.cli"));
        command.addAll(List.of(arguments));
        return Command.run(command, base, CLI_MAX);
    }

    private static List<String> modules(Path home, String main) {
        return List.of(
                "-Djboss.home.dir=" + home,
                "-jar",
                home.resolve("jboss-modules.jar").toString(),
                "-mp",
                home.resolve("modules").toString(),
                main);
    }

    @Override
    List<String> command() throws IOException {
        List<String> command = Command.java(jvmOptions);
        command.addAll(OPENED);
        command.add("-Djava.net.preferIPv4Stack=true");
        command.add("-Djboss.server.base.dir=" + base);
        command.add("-Djboss.bind.address=127.0.0.1");
        command.add("-Djboss.bind.address.management=127.0.0.1");
        command.add("-Djboss.http.port=" + httpPort);
        command.add("-Djboss.https.port=" + Ports.free());
        command.add("-Djboss.management.http.port=" + managementPort);
        command.addAll(modules(home, "org.jboss.as.standalone"));
        return command;
    }

    @Override
    String input() {
        return "";
    }

    /** With or without failed applications, which a test sees itself. */
    @Override
    boolean isStarted(LogTail said) {
        return said.contains("WFLYSRV0025") || said.contains("WFLYSRV0026");
    }

    @Override
    public void deploy(Path archive) throws IOException, InterruptedException {
        String name = archive.getFileName().toString();
        Path deployed = marker(name, ".deployed");
        Path failed = marker(name, ".failed");
        Files.deleteIfExists(deployed);
        Files.deleteIfExists(failed);
        Files.copy(archive, marker(name, ""), StandardCopyOption.REPLACE_EXISTING);
        Files.createFile(marker(name, ".dodeploy"));
        Command.await(() -> Files.exists(deployed) || Files.exists(failed), DEPLOY_MAX);
        if (!Files.exists(deployed)) {
            throw new IOException(
                    "WildFly did not deploy "
                            + name
                            + ": "
                            + (Files.exists(failed) ? Files.readString(failed) : "no answer"));
        }
    }

    @Override
    public void undeploy(String name) throws IOException, InterruptedException {
        cli("undeploy " + name);
    }

    @Override
    public void restart(int times, String... names) throws IOException, InterruptedException {
        List<String> commands = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            commands.addAll(disabling(names));
            for (int j = names.length - 1; j >= 0; j--) {
                commands.add("deployment enable " + names[j]);
            }
        }
        cli(commands.toArray(String[]::new));
    }

    @Override
    public void disable(String... names) throws IOException, InterruptedException {
        cli(disabling(names).toArray(String[]::new));
    }

    private static List<String> disabling(String... names) {
        return Stream.of(names).map(name -> "deployment disable " + name).toList();
    }

    private Path marker(String name, String suffix) {
        return base.resolve("deployments").resolve(name + suffix);
    }

    /** Runs commands of the server's command line against the running server. */
    public String cli(String... commands) throws IOException, InterruptedException {
        return runCli(
                home,
                base,
                "--connect",
                "--controller=127.0.0.1:" + managementPort,
                "--commands=" + String.join(",", commands));
    }

    @Override
    public int httpPort() {
        return httpPort;
    }

    @Override
    public int adminPort() {
        return managementPort;
    }
}
