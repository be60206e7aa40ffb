package org.metaq.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * An Open Liberty. Its user directory is its own, and has one server; of the unpacked Liberty the
 * programs are only read. Applications are deployed by the directory {@code dropins}.
 */
public final class LibertyServer extends AppServer {
    private static final String NAME = "metaq";
    private static final String CONFIGURATION = "server.xml";

    /** Libraries that servers share, below the user directory. */
    static final String LIBRARIES = "shared/resources";

    /** What its log says. */
    private static final List<String> APPLICATION_STARTED = List.of("CWWKZ0001I", "CWWKZ0003I");

    private static final List<String> APPLICATION_STOPPED = List.of("CWWKZ0009I");
    private static final List<String> ADAPTER_STARTED = List.of("J2CA7001I");
    private static final List<String> ADAPTER_STOPPED = List.of("J2CA7009I");
    private static final List<String> FAILED = List.of("CWWKZ0002E", "CWWKZ0004E", "J2CA7002E");

    /** Ending of the file name of a resource adapter, which is in the configuration. */
    private static final String ADAPTER = ".rar";

    /** The adapter's element in the configuration, which is a comment when it is disabled. */
    private static final String START = "<resourceAdapter ";

    private static final String END = "</resourceAdapter>";
    private static final String COMMENT_START = "<!--";
    private static final String COMMENT_END = "-->";

    private static final String HTTP_PORT = "HTTP_PORT";

    /** Over the configuration: a free port of loopback; files that changed are seen at once. */
    private static final String OVERRIDES =
            """
            <server>
              <httpEndpoint id="defaultHttpEndpoint" host="127.0.0.1" httpPort="HTTP_PORT" httpsPort="-1"/>
              <config monitorInterval="100ms"/>
              <applicationMonitor pollingRate="100ms"/>
            </server>
            """;

    private final Path home;
    private final Path user;
    private final Path server;
    private final int httpPort = Ports.free();

    /**
     * A server that does not run.
     *
     * @param home an unpacked Liberty
     * @param user its user directory, see {@link #configure}
     */
    public LibertyServer(Path home, Path user) throws IOException {
        super(user.toAbsolutePath(), user.toAbsolutePath().resolve("console.log"));
        this.home = home.toAbsolutePath();
        this.user = user.toAbsolutePath();
        this.server = server(this.user);
    }

    /**
     * Makes a user directory with a server, and with the libraries that the unpacked Liberty shares
     * if it has any.
     *
     * @param user does not exist
     * @param configuration the whole {@code server.xml}
     */
    public static void configure(Path home, Path user, Script configuration) throws IOException {
        Path server = server(user);
        Path shared = home.resolve("usr").resolve(LIBRARIES);
        if (Files.exists(shared)) {
            Trees.copy(shared, user.resolve(LIBRARIES));
        }
        configuration.writeTo(server.resolve(CONFIGURATION));
        Files.createDirectories(server.resolve("dropins"));
        Files.write(server.resolve("jvm.options"), JVM_OPTIONS);
    }

    private static Path server(Path user) {
        return user.resolve("servers").resolve(NAME);
    }

    /** Shares a library with the server, whether or not the unpacked Liberty has it. */
    public static void addLibrary(Path user, Path jar, String name) throws IOException {
        Path shared = Files.createDirectories(user.resolve(LIBRARIES));
        Files.copy(jar, shared.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Has a server that does not run deploy an application when it starts. */
    public static void deployAtStart(Path user, Path archive) throws IOException {
        Files.copy(archive, dropped(server(user), archive.getFileName().toString()));
    }

    private static Path dropped(Path server, String archive) {
        return server.resolve("dropins").resolve(archive);
    }

    /** The server's own script, which becomes the JVM. */
    @Override
    List<String> command() throws IOException {
        new Script(OVERRIDES)
                .with(HTTP_PORT, Integer.toString(httpPort))
                .writeTo(server.resolve("configDropins/overrides/test.xml"));
        return List.of(
                "env",
                "JAVA_HOME=" + System.getProperty("java.home"),
                "WLP_USER_DIR=" + user,
                home.resolve("bin/server").toString(),
                "run",
                NAME);
    }

    @Override
    String input() {
        return "";
    }

    /** With or without applications, which a test sees itself. */
    @Override
    boolean isStarted(LogTail said) {
        return said.contains("CWWKF0011I");
    }

    @Override
    public void deploy(Path archive) throws IOException, InterruptedException {
        String name = archive.getFileName().toString();
        Path copy = server.resolve(name);
        Files.copy(archive, copy, StandardCopyOption.REPLACE_EXISTING);
        change(() -> move(copy, dropped(server, name)), APPLICATION_STARTED);
    }

    @Override
    public void undeploy(String name) throws IOException, InterruptedException {
        change(() -> Files.delete(dropped(server, name)), APPLICATION_STOPPED);
    }

    @Override
    public void restart(int times, String... names) throws IOException, InterruptedException {
        for (int i = 0; i < times; i++) {
            disable(names);
            for (int j = names.length - 1; j >= 0; j--) {
                enable(names[j]);
            }
        }
    }

    @Override
    public void disable(String... names) throws IOException, InterruptedException {
        for (String name : names) {
            if (name.endsWith(ADAPTER)) {
                change(this::disableAdapter, ADAPTER_STOPPED);
            } else {
                change(() -> move(dropped(server, name), kept(name)), APPLICATION_STOPPED);
            }
        }
    }

    private void enable(String name) throws IOException, InterruptedException {
        if (name.endsWith(ADAPTER)) {
            change(this::enableAdapter, ADAPTER_STARTED);
        } else {
            change(() -> move(kept(name), dropped(server, name)), APPLICATION_STARTED);
        }
    }

    /** Where a disabled application is. */
    private Path kept(String name) {
        return server.resolve(name);
    }

    /** At once, so that the server never sees a part of it. */
    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    private void disableAdapter() throws IOException {
        replace(configuration().with(START, COMMENT_START + START).with(END, END + COMMENT_END));
    }

    private void enableAdapter() throws IOException {
        replace(configuration().with(COMMENT_START + START, START).with(END + COMMENT_END, END));
    }

    private Script configuration() throws IOException {
        return Script.of(server.resolve(CONFIGURATION));
    }

    private void replace(Script configuration) throws IOException {
        Path written = configuration.writeTo(server.resolve(CONFIGURATION + ".new"));
        move(written, server.resolve(CONFIGURATION));
    }

    private interface Change {
        void make() throws IOException;
    }

    /** Changes a file, and waits until the server says what came of it. */
    private void change(Change change, List<String> done) throws IOException, InterruptedException {
        LogTail said = LogTail.ofNow(log());
        change.make();
        Command.await(() -> isIn(said, done) || isIn(said, FAILED), DEPLOY_MAX);
        if (!isIn(said, done)) {
            throw new IOException("none of " + done + " in the log:\n" + said.text());
        }
    }

    private static boolean isIn(LogTail said, List<String> codes) {
        String text = said.text();
        return codes.stream().anyMatch(text::contains);
    }

    @Override
    public int httpPort() {
        return httpPort;
    }

    /** That of HTTP: nothing of it is administered over the network. */
    @Override
    public int adminPort() {
        return httpPort;
    }
}
