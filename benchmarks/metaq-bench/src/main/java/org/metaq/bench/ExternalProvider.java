package org.metaq.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Any provider, as the command line describes it: its broker runs already, or is started by a
 * command. Immutable.
 */
final class ExternalProvider implements Provider {
    /** Stands in the command for the directory of the broker's data. */
    static final String DATA_PLACEHOLDER = "{data}";

    private static final String NAME = "name";
    private static final String CLASS_PATH = "class-path";
    private static final String FACTORY = "factory";
    private static final String XA_FACTORY = "xa-factory";
    private static final String URI = "uri";
    private static final String PID = "pid";
    private static final String COMMAND = "command";
    private static final String DURABILITY = "durability";

    private static final Set<String> REQUIRED = Set.of(NAME, CLASS_PATH, FACTORY, URI);

    /** A comma within a value separates nothing. */
    private static final Pattern SEPARATOR =
            Pattern.compile(
                    ",(?=(?:name|class-path|factory|xa-factory|uri|pid|command|durability)=)");

    private static final Pattern HOST_AND_PORT = Pattern.compile("//([^:/?,)]+):(\\d+)");
    private static final long READY_TIMEOUT_NS = 120_000_000_000L;
    private static final long POLL_NS = 20_000_000;
    private static final int CONNECT_TIMEOUT_MS = 1000;

    private final Map<String, String> values;

    private ExternalProvider(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Reads {@code name=…,class-path=…,factory=…,uri=…}, and what may follow: {@code xa-factory},
     * {@code pid} of a broker that runs, {@code command} that starts one, {@code durability} in
     * words.
     *
     * @throws BenchException if something is missing or not known
     */
    static ExternalProvider parse(String description) throws BenchException {
        Map<String, String> values = new HashMap<>();
        for (String part : SEPARATOR.split(description, -1)) {
            int equals = part.indexOf('=');
            if (equals < 0) {
                throw new BenchException("--provider: not name=value: " + part);
            }
            values.put(part.substring(0, equals), part.substring(equals + 1));
        }
        for (String name : REQUIRED) {
            if (values.getOrDefault(name, "").isBlank()) {
                throw new BenchException("--provider: " + name + "=… is missing: " + description);
            }
        }
        if (!values.getOrDefault(NAME, "").matches("[\\w.-]+")) {
            throw new BenchException("--provider: a name of letters, digits, '.', '-' is needed");
        }
        return new ExternalProvider(values);
    }

    @Override
    public String name() {
        return value(NAME);
    }

    @Override
    public String durability() {
        String durability = value(DURABILITY);
        return durability.isEmpty() ? "not stated (durability=… states it)" : durability;
    }

    @Override
    public String brokerOptions() {
        String command = value(COMMAND);
        return command.isEmpty() ? "runs already, " + value(URI) : command;
    }

    @Override
    public String clientClassPath() {
        return value(CLASS_PATH);
    }

    @Override
    public String factoryClass() {
        return value(FACTORY);
    }

    @Override
    public String xaFactoryClass() {
        return value(XA_FACTORY);
    }

    @Override
    public Broker start(Path directory) throws BenchException, InterruptedException {
        String command = value(COMMAND).replace(DATA_PLACEHOLDER, directory.toString());
        if (command.isEmpty()) {
            String pid = value(PID);
            return new Broker(null, pid.isEmpty() ? 0 : Long.parseLong(pid), value(URI));
        }
        Matcher address = HOST_AND_PORT.matcher(value(URI));
        if (!address.find()) {
            throw new BenchException(
                    "no //host:port in " + value(URI) + ", so no way to wait for it");
        }
        ForkedProcess process =
                ForkedProcess.start(
                        name() + " broker",
                        List.of(command.strip().split("\\s+", -1)),
                        directory.resolve("broker.log"),
                        Map.of());
        InetSocketAddress port =
                new InetSocketAddress(address.group(1), Integer.parseInt(address.group(2)));
        if (!awaitPort(process, port)) {
            process.close();
            throw new BenchException("the " + name() + " broker does not listen on " + port);
        }
        return new Broker(process, value(URI));
    }

    /** False if it ends, or does not listen in time. */
    private static boolean awaitPort(ForkedProcess process, InetSocketAddress port) {
        long deadline = System.nanoTime() + READY_TIMEOUT_NS;
        while (process.isAlive() && System.nanoTime() < deadline) {
            try (Socket socket = new Socket()) {
                socket.connect(port, CONNECT_TIMEOUT_MS);
                return true;
            } catch (IOException e) {
                // not yet
                LockSupport.parkNanos(POLL_NS);
            }
        }
        return false;
    }

    private String value(String name) {
        @Nullable String value = values.get(name);
        return value == null ? "" : value.strip();
    }
}
