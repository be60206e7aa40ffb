package org.metaq.tck;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker with an empty store, on a free port of this machine. Confined to one thread. */
final class BrokerProcess {
    private static final Pattern READY = Pattern.compile("ready: .* on port (\\d+),.*");
    private static final List<String> OPTIONS = List.of("-Xmx512m", "-XX:+UseSerialGC");

    private final Process process;
    private final int port;

    private BrokerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts one and waits until it serves.
     *
     * @param users file of the users that may connect
     * @param directory for its store and its log; its own
     * @throws TckException if it does not become ready
     */
    static BrokerProcess start(Distribution distribution, Path users, Path directory)
            throws TckException {
        Path log = directory.resolve("broker.log");
        Path settings = directory.resolve("server.ini");
        try {
            Files.writeString(settings, settings(users));
            Process process =
                    Java.start(
                            OPTIONS,
                            distribution.broker(),
                            "org.metaq.server.BrokerMain",
                            List.of(
                                    "--config",
                                    settings.toString(),
                                    "--data",
                                    directory.resolve("store").toString()),
                            directory,
                            log);
            BufferedReader output =
                    new BufferedReader(
                            new InputStreamReader(
                                    process.getInputStream(), StandardCharsets.UTF_8));
            Matcher ready = READY.matcher(String.valueOf(output.readLine()));
            if (!ready.matches()) {
                process.destroy();
                throw new TckException("the broker did not become ready; see " + log);
            }
            return new BrokerProcess(process, Integer.parseInt(ready.group(1)));
        } catch (IOException e) {
            throw new TckException("cannot start a broker: " + e, e);
        }
    }

    private static String settings(Path users) {
        return String.join(
                System.lineSeparator(),
                "[system]",
                "bindAddress=127.0.0.1",
                "serverPort=0",
                "journalSegmentSize=16M",
                "users=" + users,
                "");
    }

    int port() {
        return port;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void stop() throws InterruptedException {
        Java.stop(process);
    }
}
