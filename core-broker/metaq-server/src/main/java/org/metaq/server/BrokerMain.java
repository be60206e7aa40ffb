package org.metaq.server;

import ch.qos.logback.core.status.NopStatusListener;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.metaq.server.config.ConfigException;
import org.metaq.server.config.ConfigFile;
import org.metaq.server.config.ServerConfig;
import org.metaq.server.discovery.EmbeddedZooKeeper;
import org.metaq.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Main class of a broker process. It prints one line on the standard output when it serves, and
 * logs on the error stream. Exit status: 0 or the signal's after a clean stop, 1 if it does not
 * start, 2 for a wrong command line, 3 if it fails while it runs.
 */
@Command(
        name = "broker",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Runs a broker until it is told to stop (SIGTERM or SIGINT).")
public final class BrokerMain implements Callable<Integer> {
    private static final int STATUS_NOT_STARTED = 1;
    private static final int STATUS_FAILED = 3;

    @Option(names = "--data", paramLabel = "DIR", description = "Data directory.")
    private @Nullable Path data;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "TCP port; 0 picks a free one, which the ready line names.")
    private @Nullable Integer port;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "server.ini; without it every key has its default.")
    private @Nullable Path config;

    @Option(names = "--bind", paramLabel = "ADDR", description = "Address to listen on.")
    private @Nullable String bind;

    @Option(
            names = "--local",
            description =
                    "Run a ZooKeeper in this process, on 127.0.0.1, and register there: all that"
                            + " MetaQ clients on this machine need.")
    private boolean local;

    @Option(
            names = "--zookeeper-port",
            paramLabel = "N",
            defaultValue = "2181",
            description = "With --local: port of the ZooKeeper; 0 picks a free one.")
    private int zookeeperPort;

    @Option(names = "--log-file", paramLabel = "FILE", description = "Also log to this file.")
    private @Nullable Path logFile;

    @Option(names = "--verbose", description = "Log details, stack traces of refused starts too.")
    private boolean verbose;

    private BrokerMain() {}

    /** Runs the broker and ends the process. */
    public static void main(String[] args) {
        keepLogbackOffStandardOutput();
        System.exit(new CommandLine(new BrokerMain()).execute(args));
    }

    /**
     * Standard output holds the ready line and nothing else. Logback reports there on its own
     * configuration when it finds several; who brings one sees those reports.
     */
    private static void keepLogbackOffStandardOutput() {
        String listener = "logback.statusListenerClass";
        if (System.getProperty(listener) == null
                && System.getProperty("logback.configurationFile") == null) {
            System.setProperty(listener, NopStatusListener.class.getName());
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        LogSetup.configure(logFile, verbose);
        Logger log = LoggerFactory.getLogger(BrokerMain.class);
        BrokerServer server;
        ServerConfig settings;
        try {
            settings = readConfig(log);
            if (local) {
                settings = settings.registeringAt(startZooKeeper(settings));
            }
            server = BrokerServer.start(settings);
        } catch (ConfigException
                | StoreException
                | IllegalArgumentException
                | UncheckedIOException e) {
            return notStarted(e, log);
        }
        try {
            server.discoverable().join();
        } catch (CompletionException e) {
            server.close();
            return notStarted(e.getCause() == null ? e : e.getCause(), log);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "metaq-stop"));
        System.out.println(
                "ready: metaq broker "
                        + settings.broker().brokerId()
                        + " on port "
                        + server.port()
                        + ", data "
                        + settings.storage().dataPath());
        System.out.flush();
        // a signal runs the hook and ends the process under us; JMX may stop the broker too
        var unused = CompletableFuture.anyOf(server.failure(), server.closed()).join();
        return server.failure().isDone() ? STATUS_FAILED : 0;
    }

    /** Runs as long as the process. */
    private String startZooKeeper(ServerConfig settings) {
        Path directory = settings.storage().dataPath().resolve("zookeeper");
        return EmbeddedZooKeeper.start(directory, zookeeperPort).connect();
    }

    private static int notStarted(Throwable cause, Logger log) {
        System.err.println("metaq broker: does not start: " + oneLine(cause));
        log.debug("not started", cause);
        return STATUS_NOT_STARTED;
    }

    private ServerConfig readConfig(Logger log) {
        ServerConfig.Builder builder = ServerConfig.builder();
        if (config != null) {
            ConfigFile file = ConfigFile.read(config);
            file.notes().forEach(note -> log.info("config-note file={} {}", config, note));
            builder.file(file);
        }
        if (data != null) {
            builder.dataPath(data);
        }
        if (port != null) {
            builder.port(port);
        }
        if (bind != null) {
            builder.bindAddress(bind);
        }
        return builder.build();
    }

    private static String oneLine(Throwable e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
