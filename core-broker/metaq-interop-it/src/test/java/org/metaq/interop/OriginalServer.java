package org.metaq.interop;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Assumptions;

/** MetaQ's own server 1.4.6.2, with the class path that it was released with. */
final class OriginalServer implements MetaqServer {
    private static final long START_MAX_SECONDS = 30;

    private final Path directory;
    private final ServerIni ini;
    private final int port;
    private Process process;

    /** It did not start, with why. */
    private static final class NotStarted extends IOException {
        private static final long serialVersionUID = 1;

        NotStarted(String message) {
            super(message);
        }
    }

    private OriginalServer(Path directory, ServerIni ini, int port) {
        this.directory = directory;
        this.ini = ini;
        this.port = port;
    }

    /**
     * Starts one and waits until it is registered.
     *
     * @throws NotStarted if it does not start
     */
    private static OriginalServer start(Path directory, ServerIni ini)
            throws IOException, InterruptedException {
        OriginalServer server = new OriginalServer(directory, ini, freePort());
        Files.createDirectories(directory.resolve("conf"));
        server.restart();
        return server;
    }

    /** As {@link #start}, but skips the test, with a message, if the server does not start. */
    static OriginalServer startOrSkip(Path directory, ServerIni ini)
            throws IOException, InterruptedException {
        try {
            return start(directory, ini);
        } catch (NotStarted e) {
            return Assumptions.abort("MetaQ's own server does not start: " + e.getMessage());
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    static String classPath() throws IOException {
        Path jars = Path.of(System.getProperty("metaq.original.server", "missing"));
        if (!Files.isDirectory(jars)) {
            throw new NotStarted("its jars are not in " + jars);
        }
        try (Stream<Path> files = Files.list(jars)) {
            return files.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
    }

    @Override
    public void restart() throws IOException, InterruptedException {
        Path config =
                ini.write(
                        directory.resolve("conf").resolve("server.ini"),
                        "serverPort=" + port,
                        "dashboardHttpPort=" + freePort(),
                        "dataPath=" + directory.resolve("data"));
        Path logging = directory.resolve("log4j.properties");
        Files.writeString(
                logging,
                """
                log4j.rootLogger=WARN, out
                log4j.appender.out=org.apache.log4j.ConsoleAppender
                log4j.appender.out.layout=org.apache.log4j.PatternLayout
                log4j.appender.out.layout.ConversionPattern=%d{ABSOLUTE} %-5p %c{1} %m%n
                """);
        process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xmx256m",
                                        "-XX:+UseSerialGC",
                                        "-XX:TieredStopAtLevel=1",
                                        "-Dlog4j.configuration=" + logging.toUri(),
                                        "-Duser.home=" + directory,
                                        "-cp",
                                        classPath(),
                                        "com.taobao.metamorphosis.server.MetamorphosisStartup",
                                        "-f",
                                        config.toString()))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                        .start();
        awaitRegistration();
    }

    private void awaitRegistration() throws IOException {
        try (CuratorFramework client =
                CuratorFrameworkFactory.newClient(ini.zkConnect(), new RetryOneTime(500))) {
            client.start();
            Awaitility.await()
                    .atMost(START_MAX_SECONDS, TimeUnit.SECONDS)
                    .until(() -> !process.isAlive() || isRegistered(client));
        } catch (ConditionTimeoutException e) {
            process.destroyForcibly();
        }
        if (!process.isAlive()) {
            throw new NotStarted("it does not register; its output:\n" + log());
        }
    }

    private boolean isRegistered(CuratorFramework client) throws Exception {
        for (String topic : ini.topics()) {
            String node = "/meta/brokers/topics-sub/" + topic + "/" + ini.brokerId() + "-m";
            if (client.checkExists().forPath(node) == null) {
                return false;
            }
        }
        return true;
    }

    private Path logFile() {
        return directory.resolve("server.log");
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void kill9() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public String log() throws IOException {
        return Files.readString(logFile());
    }

    @Override
    public void close() throws InterruptedException {
        kill9();
    }
}
