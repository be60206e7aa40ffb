package org.metaq.wildfly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a server holds, after a collection of garbage.
 *
 * @param connections to the broker
 * @param threads how many of each name, without its digits
 * @param adapters resource adapters that are reachable
 * @param adapterLoaders class loaders of the adapter that are reachable
 * @param applicationLoaders class loaders of the application that are reachable
 */
record Footprint(
        long connections,
        Map<String, Long> threads,
        long adapters,
        long adapterLoaders,
        long applicationLoaders) {
    private static final String ADAPTER = "org.metaq.ra.MetaQResourceAdapter";
    private static final String BEAN = "org.metaq.testapp.QueueBean";

    /** Threads that the adapter starts or that a server starts for it, in either server. */
    private static final Pattern OURS =
            Pattern.compile("metaq|MetaQ|^Timer-|^connectors-runtime-context");

    static Footprint of(Site site) throws IOException, InterruptedException {
        long pid = site.server().pid();
        String instances = jcmd(pid, "GC.class_histogram"); // collects before it counts
        return new Footprint(
                connections(site.broker().port()),
                threads(jcmd(pid, "Thread.print")),
                instances(instances, ADAPTER),
                loaders(pid, ADAPTER),
                loaders(pid, BEAN));
    }

    /** All threads. */
    long threadCount() {
        return threads.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The threads that are there for the adapter. */
    Map<String, Long> ownThreads() {
        Map<String, Long> own = new TreeMap<>(threads);
        own.keySet().removeIf(name -> !OURS.matcher(name).find());
        return own;
    }

    private static Map<String, Long> threads(String dump) {
        return dump.lines()
                .filter(line -> line.startsWith("\""))
                .map(line -> line.substring(1, line.indexOf('"', 1)).replaceAll("\\d+", ""))
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    }

    /** Of each class loader's class of that name; a line is: rank, instances, bytes, name. */
    private static long instances(String histogram, String name) {
        return Pattern.compile("\\s(\\d+)\\s+\\d+\\s+" + Pattern.quote(name) + "\\s")
                .matcher(histogram)
                .results()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .sum();
    }

    /** How many classes have that name, each of a loader of its own. */
    private static long loaders(long pid, String name) throws IOException, InterruptedException {
        return Pattern.compile(Pattern.quote(name) + "/")
                .matcher(jcmd(pid, "VM.class_hierarchy " + name))
                .results()
                .count();
    }

    /** Established connections whose other end is the broker's port. */
    private static long connections(int brokerPort) throws IOException {
        String other = String.format(":%04X 01 ", brokerPort);
        long count = 0;
        for (String table : new String[] {"/proc/net/tcp", "/proc/net/tcp6"}) {
            count +=
                    Files.readAllLines(Path.of(table)).stream()
                            .filter(line -> line.contains(other))
                            .count();
        }
        return count;
    }

    /** What the threads of the server do. */
    static String threadDump(Site site) throws IOException, InterruptedException {
        return jcmd(site.server().pid(), "Thread.print");
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                Long.toString(pid),
                                command)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
