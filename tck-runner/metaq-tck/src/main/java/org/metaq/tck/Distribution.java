package org.metaq.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The distribution under test. Immutable.
 *
 * @param broker class path of a broker
 * @param client what an application puts on its class path
 * @param runner class path of this program
 * @param exclusions file of {@link Exclusions}
 */
record Distribution(List<Path> broker, List<Path> client, List<Path> runner, Path exclusions) {
    private static final String API = "jakarta.jms-api-";

    Distribution {
        broker = List.copyOf(broker);
        client = List.copyOf(client);
        runner = List.copyOf(runner);
    }

    /**
     * The one that {@code metaq} runs from.
     *
     * @throws TckException if this was started in another way, or a folder is missing
     */
    static Distribution own() throws TckException {
        @Nullable String property = System.getProperty("metaq.home");
        if (property == null) {
            throw new TckException("which distribution? Start this as `metaq tck`");
        }
        Path home = Path.of(property).toAbsolutePath();
        return new Distribution(
                jars(home.resolve("lib")),
                jars(home.resolve("client")),
                jars(home.resolve("tck")),
                home.resolve("tck").resolve("exclusions.txt"));
    }

    /**
     * The Jakarta Messaging API that applications get.
     *
     * @throws TckException if it is not among the client's jars
     */
    Path api() throws TckException {
        return client.stream()
                .filter(jar -> String.valueOf(jar.getFileName()).startsWith(API))
                .findFirst()
                .orElseThrow(() -> new TckException("no " + API + "*.jar is shipped to clients"));
    }

    private static List<Path> jars(Path directory) throws TckException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        } catch (IOException e) {
            throw new TckException("the distribution is incomplete: " + e, e);
        }
    }
}
