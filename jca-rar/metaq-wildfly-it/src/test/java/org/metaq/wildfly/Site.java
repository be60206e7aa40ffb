package org.metaq.wildfly;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.metaq.container.AppServer;
import org.metaq.container.BrokerProcess;
import org.metaq.container.BrokerView;
import org.metaq.container.DatabaseProcess;
import org.metaq.container.LibertyServer;
import org.metaq.container.PayaraMicroServer;
import org.metaq.container.Ports;
import org.metaq.container.Script;
import org.metaq.container.ServerType;
import org.metaq.container.Trees;
import org.metaq.jms.MetaQConnectionFactory;

/**
 * A broker and a server with the resource adapter and an application, both as processes. The module
 * says by system properties which server it is. A server is set up once for each application, and
 * copied: all sites of a JVM have their broker at one port.
 */
public final class Site implements AutoCloseable {
    /** How long anything may take that is waited for. */
    public static final Duration MAX = Duration.ofSeconds(90);

    private static final ServerType TYPE = ServerType.of(property("metaq.it.server"));
    private static final Path WORK = Path.of(property("metaq.it.work"));
    private static final Path HOME = Path.of(property("metaq.it.home"));
    private static final Path ARCHIVES = Path.of(property("metaq.it.archives"));
    private static final int BROKER_PORT = brokerPort();
    private static final int DATABASE_PORT = freePort();

    private final Path directory;
    private final String application;
    private final String page;
    private final BrokerProcess broker;
    private final DatabaseProcess database;
    private final AppServer server;

    private Site(Path directory, String application, String page) throws IOException {
        this.directory = directory;
        this.application = application;
        this.page = page;
        this.broker = new BrokerProcess(directory, BROKER_PORT);
        this.database = new DatabaseProcess(TYPE.database(HOME), directory, DATABASE_PORT);
        this.server = TYPE.open(HOME, directory.resolve("server"));
    }

    /** A site with the application of the tests; nothing runs. */
    public static Site ofTestApplication(String name) throws IOException, InterruptedException {
        return of(name, "metaq-ra-testapp", "/testapp/run?case=rows&text=", true);
    }

    /** A site with the sample, set up by the script that users have, as it is; nothing runs. */
    public static Site ofSample(String name) throws IOException, InterruptedException {
        return of(name, "metaq-sample-orders-ee", "/orders/orders", false);
    }

    private static Site of(String name, String application, String page, boolean extras)
            throws IOException, InterruptedException {
        Path template = template(application);
        Path directory = WORK.resolve(name);
        Trees.delete(directory);
        if (!Files.exists(template.resolve("done"))) {
            Trees.delete(template);
            setUp(template.resolve("server"), application, extras);
            Files.createFile(template.resolve("done"));
        }
        Trees.copy(template.resolve("server"), directory.resolve("server"));
        return new Site(directory, application, page);
    }

    private static void setUp(Path server, String application, boolean extras)
            throws IOException, InterruptedException {
        Script script =
                TYPE.script(
                        Path.of(property("metaq.it.scripts")),
                        ARCHIVES.resolve("metaq-ra.rar"),
                        "metaq://127.0.0.1:" + BROKER_PORT);
        if (extras) {
            script = TYPE.withMore(script, Extras.of(TYPE, BROKER_PORT, DATABASE_PORT));
        }
        Path archive = archive(application).toAbsolutePath();
        String deploy = "deploy " + archive + "\n";
        switch (TYPE) {
            case WILDFLY, PAYARA -> TYPE.configure(HOME, server, TYPE.withMore(script, deploy));
            case PAYARA_MICRO -> {
                TYPE.configure(HOME, server, script);
                PayaraMicroServer.deployAtStart(server, archive);
            }
            case OPEN_LIBERTY -> {
                TYPE.configure(HOME, server, script);
                LibertyServer.deployAtStart(server, archive);
            }
        }
    }

    private static Path template(String application) {
        return WORK.resolve("template-" + application);
    }

    private static Path archive(String application) {
        return ARCHIVES.resolve(application + ".war");
    }

    private static int brokerPort() {
        try {
            // The templates of an earlier run have its broker's port.
            Trees.delete(WORK);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return freePort();
    }

    private static int freePort() {
        try {
            return Ports.free();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw new IllegalStateException("no system property " + name);
        }
        return value;
    }

    /** Says by system properties where this site's server is, for another one to start it. */
    void describe() {
        System.setProperty("metaq.it.directory", file("server").toString());
        System.setProperty("metaq.it.http-port", Integer.toString(server.httpPort()));
        System.setProperty("metaq.it.admin-port", Integer.toString(server.adminPort()));
    }

    /** Starts broker and server, and waits for the application. */
    public Site start() throws IOException, InterruptedException {
        broker.start();
        return startServer();
    }

    /** Starts the server, and waits for the application. */
    public Site startServer() throws IOException, InterruptedException {
        server.start();
        server.awaitPage(page);
        return this;
    }

    /** Makes a directory of the server what it was before the first start. */
    public void restore(String name) throws IOException {
        Path restored = directory.resolve("server").resolve(name);
        Trees.delete(restored);
        Trees.copy(template(application).resolve("server").resolve(name), restored);
    }

    /** A file or directory of this site. */
    public Path file(String name) {
        return directory.resolve(name).toAbsolutePath();
    }

    /** File name of the application. */
    public String archive() {
        return application + ".war";
    }

    /** The application. */
    public Path archiveFile() {
        return archive(application);
    }

    /** A page that is there when the application is. */
    public String page() {
        return page;
    }

    /** The broker. */
    public BrokerProcess broker() {
        return broker;
    }

    /** A database that the test application's {@code jdbc/remote} leads to; nobody starts it. */
    public DatabaseProcess database() {
        return database;
    }

    /** The server. */
    public AppServer server() {
        return server;
    }

    /** What is in the broker. */
    public BrokerView view() {
        return new BrokerView(broker.uri());
    }

    /** Runs a case in the server; arguments are names and values. */
    public HttpResponse<String> run(String name, String... arguments)
            throws IOException, InterruptedException {
        StringBuilder path = new StringBuilder("/testapp/run?case=" + name);
        for (int i = 0; i < arguments.length; i += 2) {
            path.append('&').append(arguments[i]).append('=');
            path.append(URLEncoder.encode(arguments[i + 1], StandardCharsets.UTF_8));
        }
        return server.get(path.toString());
    }

    /** The rows of a source: text, a space, delivery count. */
    public List<String> rows(String source) throws IOException, InterruptedException {
        HttpResponse<String> answer = run("rows", "text", source);
        if (answer.statusCode() != 200) {
            throw new IOException(answer.body());
        }
        return answer.body().lines().toList();
    }

    /** Waits until a source has rows that are as given. */
    public void awaitRows(String source, String... rows) {
        Awaitility.await()
                .atMost(MAX)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> rows(source), List.of(rows)::equals);
    }

    /** Sends texts to a queue, and asks for replies to another, if it is given. */
    public void send(String queue, @Nullable String replies, String... texts) {
        try (JMSContext context = new MetaQConnectionFactory(broker.uri()).createContext()) {
            JMSProducer producer = context.createProducer();
            if (replies != null) {
                producer.setJMSReplyTo(context.createQueue(replies));
            }
            for (String text : texts) {
                producer.send(context.createQueue(queue), text);
            }
        }
    }

    /** Takes messages from a queue until so many have come, or none comes for a while. */
    public List<Message> receive(String name, int count) {
        List<Message> messages = new ArrayList<>();
        try (JMSContext context = new MetaQConnectionFactory(broker.uri()).createContext()) {
            Queue queue = context.createQueue(name);
            var consumer = context.createConsumer(queue);
            while (messages.size() < count) {
                Message message = consumer.receive(MAX.toMillis());
                if (message == null) {
                    return messages;
                }
                messages.add(message);
            }
        }
        return messages;
    }

    /** The texts of messages. */
    public List<String> receiveTexts(String queue, int count) throws jakarta.jms.JMSException {
        List<String> texts = new ArrayList<>();
        for (Message message : receive(queue, count)) {
            texts.add(message.getBody(String.class));
        }
        return texts;
    }

    /** Waits until nothing of a queue is left, and nothing is in doubt. */
    public void awaitQuiet(String queue) {
        Awaitility.await()
                .atMost(MAX)
                .until(() -> view().inDoubt() == 0 && view().depth(queue) == 0);
    }

    @Override
    public void close() throws InterruptedException {
        server.close();
        broker.close();
        database.close();
    }
}
