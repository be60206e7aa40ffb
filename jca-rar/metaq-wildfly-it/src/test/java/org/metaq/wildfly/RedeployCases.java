package org.metaq.wildfly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Application and adapter are taken away and brought back: nothing of them stays. */
@Timeout(300)
public abstract class RedeployCases {
    private static final String ADAPTER_CLASS = "org.metaq.ra.MetaQResourceAdapter";
    private static final int TIMES = 10;
    private static final int ENDPOINTS = 4; // of the application, each with a connection
    private static final int SPARE_THREADS = 3 * TIMES; // the server's own pools breathe
    private static final long SPARE_BYTES = 20L << 20;

    @Test
    void shouldLeaveNothingBehindWhenDeployedTenTimes() throws Exception {
        try (Site site = Site.ofTestApplication("redeploy").start()) {
            roundTrip(site, "first");
            redeploy(site, 2);
            roundTrip(site, "warm");
            Footprint before = settled(site);
            redeploy(site, TIMES);
            roundTrip(site, "last");
            Footprint after = settled(site);
            assertThat(after.connections()).isLessThanOrEqualTo(before.connections());
            after.threads().forEach((name, count) -> assertFlat(before, after, name, count));
            assertThat(after.heapBytes()).isLessThanOrEqualTo(before.heapBytes() + SPARE_BYTES);
            assertThat(after.adapters()).isLessThanOrEqualTo(before.adapters() + 1);
            site.server().undeploy(site.archive());
            Awaitility.await()
                    .atMost(Site.MAX)
                    .until(() -> connections(site) <= after.connections() - ENDPOINTS);
        }
    }

    private static void assertFlat(Footprint before, Footprint after, String name, long count) {
        boolean isOurs = name.contains("metaq") || name.startsWith("Timer");
        assertThat(count)
                .as("threads called '%s', of %s", name, after)
                .isLessThanOrEqualTo(
                        before.threads().getOrDefault(name, 0L) + (isOurs ? 0 : SPARE_THREADS));
    }

    private static void redeploy(Site site, int times) throws Exception {
        site.server().restart(times, site.archive(), "metaq.rar");
        site.server().awaitPage(site.page());
    }

    private static void roundTrip(Site site, String text) throws Exception {
        site.send("test.in", "test.replies", text);
        assertThat(site.receiveTexts("test.replies", 1)).containsExactly(text);
    }

    /**
     * What a server holds.
     *
     * @param connections to the broker
     * @param heapBytes that is reachable
     * @param threads how many of each name, without its digits
     * @param adapters instances of the adapter
     */
    private record Footprint(
            long connections, Map<String, Long> threads, long heapBytes, long adapters) {}

    private static Footprint settled(Site site) throws IOException, InterruptedException {
        long pid = site.server().pid();
        String histogram = jcmd(pid, "GC.class_histogram");
        Footprint footprint =
                new Footprint(
                        connections(site),
                        threads(jcmd(pid, "Thread.print")),
                        number("(?m)^Total\\s+\\d+\\s+(\\d+)", histogram),
                        number("\\s(\\d+)\\s+\\d+\\s+" + Pattern.quote(ADAPTER_CLASS), histogram));
        System.out.println(footprint);
        return footprint;
    }

    private static Map<String, Long> threads(String dump) {
        return dump.lines()
                .filter(line -> line.startsWith("\""))
                .map(line -> line.substring(1, line.indexOf('"', 1)).replaceAll("\\d+", ""))
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    }

    private static long number(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    /** Established connections whose other end is the broker's port. */
    private static long connections(Site site) throws IOException {
        String port = String.format(":%04X 01 ", site.broker().port());
        return Files.readAllLines(Path.of("/proc/net/tcp")).stream()
                        .filter(line -> line.contains(port))
                        .count()
                + Files.readAllLines(Path.of("/proc/net/tcp6")).stream()
                        .filter(line -> line.contains(port))
                        .count();
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
