package org.metaq.container;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An application server as a process, with a directory of its own: configuration, applications,
 * transaction log. It listens on loopback alone. Confined to its thread, but for {@link #get} and
 * {@link #put}.
 */
public abstract class AppServer implements AutoCloseable {
    /**
     * Small: two servers, a broker and a test share a machine. Caches of the JDK, which refer
     * softly to classes, are no leaks, and must not look like some.
     */
    static final List<String> JVM_OPTIONS =
            List.of(
                    "-Xmx512m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:SoftRefLRUPolicyMSPerMB=0");

    static final Duration START_MAX = Duration.ofMinutes(2);
    static final Duration STOP_MAX = Duration.ofSeconds(60);
    static final Duration DEPLOY_MAX = Duration.ofMinutes(2);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();

    private final Path base;
    private final Path log;
    private @Nullable Process process;

    /**
     * @param base its own directory
     * @param log where its output goes
     */
    AppServer(Path base, Path log) {
        this.base = base;
        this.log = log;
    }

    /** The command line of its JVM. */
    abstract List<String> command() throws IOException;

    /** What its JVM reads. */
    abstract String input();

    /** Whether it says in its log that it started. */
    abstract boolean isStarted(LogTail said);

    /**
     * Starts it, and waits until it says that it did. Applications may take longer: {@link
     * #awaitPage}.
     *
     * @throws IOException if it does not start in time; the message has its log
     */
    public void start() throws IOException, InterruptedException {
        LogTail said = LogTail.ofNow(log);
        Process started = Command.start(command(), base, log, input());
        process = started;
        Command.await(() -> isStarted(said) || !started.isAlive(), START_MAX);
        if (!isStarted(said)) {
            kill9();
            throw new IOException("the server did not start:\n" + said.text());
        }
    }

    /**
     * Stops it by a signal.
     *
     * @throws IOException if it does not end within a minute; it is killed then
     */
    public void stop() throws IOException, InterruptedException {
        Process running = running();
        running.destroy();
        if (!running.waitFor(STOP_MAX.toSeconds(), TimeUnit.SECONDS)) {
            kill9();
            throw new IOException("the server did not stop within " + STOP_MAX);
        }
    }

    /** Kills it as {@code kill -9} does, and waits until it is gone. */
    public void kill9() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    private Process running() {
        if (process == null || !process.isAlive()) {
            throw new IllegalStateException("the server does not run");
        }
        return process;
    }

    /**
     * Deploys an application, or deploys it again; the server runs.
     *
     * @param archive its file name is the application's name
     * @throws IOException if the server refuses it; the message has its reason
     */
    public abstract void deploy(Path archive) throws IOException, InterruptedException;

    /** Undeploys an application by its archive's file name; the server runs. */
    public abstract void undeploy(String name) throws IOException, InterruptedException;

    /**
     * Disables applications and enables them again in the other order, so many times; the server
     * runs.
     *
     * @param names file names of archives, such that none needs one before it
     * @throws UnsupportedOperationException if it has no administration
     */
    public abstract void restart(int times, String... names)
            throws IOException, InterruptedException;

    /**
     * Disables applications, as {@link #restart} does first; the server runs.
     *
     * @throws UnsupportedOperationException if it has no administration
     */
    public abstract void disable(String... names) throws IOException, InterruptedException;

    /** Process id; the server runs. */
    public long pid() {
        return running().pid();
    }

    /** Its log. */
    public Path log() {
        return log;
    }

    /** Its HTTP port. */
    public abstract int httpPort();

    /**
     * The port of its administration.
     *
     * @throws UnsupportedOperationException if it has none
     */
    public abstract int adminPort();

    /**
     * Waits until a page is there, as it is when its application is.
     *
     * @throws IOException if it is not in time
     */
    public void awaitPage(String path) throws IOException, InterruptedException {
        if (!Command.await(() -> isPage(path), START_MAX)) {
            throw new IOException("no page " + path + "; see " + log);
        }
    }

    private boolean isPage(String path) {
        try {
            return get(path).statusCode() == 200;
        } catch (IOException e) {
            return false; // it does not listen yet
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Gets a page; any status is an answer. */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET().build());
    }

    /** Puts a text; any status is an answer. */
    public HttpResponse<String> put(String path, String text)
            throws IOException, InterruptedException {
        return send(request(path).PUT(HttpRequest.BodyPublishers.ofString(text)).build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort() + path))
                .header("Content-Type", "text/plain")
                .timeout(ANSWER_MAX);
    }

    /** Sends a request and reads the answer. */
    HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Kills it if it still runs. */
    @Override
    public void close() throws InterruptedException {
        kill9();
    }
}
