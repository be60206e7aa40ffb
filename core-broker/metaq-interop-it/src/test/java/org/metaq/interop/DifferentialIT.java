package org.metaq.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same commands to our broker and to MetaQ's own server, the answers side by side. What differs
 * stands, with its reason, in {@code docs/compatibility.md}, and nothing else stands there. Skipped
 * where MetaQ's server does not start.
 */
class DifferentialIT {
    private static final Path DOC = Path.of("..", "..", "docs", "compatibility.md");
    private static final String TABLE = "## Answers that differ";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String XA = "XID:100:0102fe01:0109:q";

    private enum Kind {
        /** On the connection of the step before; there is an answer. */
        ANSWERED,
        /** On the connection of the step before; there may be none. */
        NOT_ANSWERED,
        /** On a connection of its own; there may be no answer. */
        ALONE,
        /** Asked again until there is data: MetaQ's server commits behind its answer. */
        EVENTUALLY,
        /** Asked again until it is refused. */
        FINALLY_REFUSED
    }

    private record Step(String name, Kind kind, String command) {}

    private static Step step(String name, String command) {
        return new Step(name, Kind.ANSWERED, command);
    }

    private static Step quiet(String name, String command) {
        return new Step(name, Kind.NOT_ANSWERED, command);
    }

    private static Step silent(String name, String command) {
        return new Step(name, Kind.ALONE, command);
    }

    private static Step eventually(String name, String command) {
        return new Step(name, Kind.EVENTUALLY, command);
    }

    private static List<Step> steps() {
        return List.of(
                step("put", "put d 1 16 1 545836126 -2147483648\r\n\0\0\0\5attr0hello-0"),
                step("put without checksum", "put d 1 5 0 -1 2\r\nhello"),
                step("old put", "put d 1 5 0 3\r\nhello"),
                step("put of nothing", "put d 1 0 0 -1 4\r\n"),
                step("get", "get d g 1 0 1048576 5\r\n"),
                step("get at the end", "get d g 1 106 1048576 6\r\n"),
                step("get beyond the end", "get d g 1 100000 1048576 7\r\n"),
                step("get at Long.MAX", "get d g 1 9223372036854775807 1024 8\r\n"),
                step("get below the start", "get d g 1 -1 1024 9\r\n"),
                step("get of 0 bytes", "get d g 1 0 0 10\r\n"),
                step("get of -1 bytes", "get d g 1 0 -1 11\r\n"),
                step("get of an unknown topic", "get nosuch g 1 0 1024 12\r\n"),
                step("get of an unknown partition", "get d g 9 0 1024 13\r\n"),
                step("get of a partition never put to", "get d g 0 0 1024 14\r\n"),
                step("get of less than a message", "get d g 1 0 10 15\r\n"),
                step("get between messages", "get d g 1 36 1024 16\r\n"),
                step("get inside a message", "get d g 1 40 1024 17\r\n"),
                step("offset at 0", "offset d g 1 0 18\r\n"),
                step("offset in the log", "offset d g 1 50 19\r\n"),
                step("offset beyond the end", "offset d g 1 100000 20\r\n"),
                step("offset below the start", "offset d g 1 -5 21\r\n"),
                step("offset of an unknown topic", "offset nosuch g 1 0 22\r\n"),
                step("offset of an unknown partition", "offset d g 9 0 23\r\n"),
                step("version", "version 24\r\n"),
                step("version without opaque", "version\r\n"),
                step("another word with v", "vanilla 1\r\n"),
                step("put to an unknown partition", "put d 9 5 0 -1 30\r\nhello"),
                step("put to an unknown topic", "put nosuch 0 5 0 -1 31\r\nhello"),
                step("put with a wrong checksum", "put d 1 5 0 17 32\r\nhello"),
                step("put to any partition", "put single -1 5 0 -1 33\r\nhello"),
                step("put with flags", "put d 1 5 -2 -1 34\r\nhello"),
                step("put to partition -2", "put d -2 5 0 -1 35\r\nhello"),
                step("local begin", "transaction TX:s:1 s BEGIN 40\r\n"),
                step("local begin again", "transaction TX:s:1 s BEGIN 41\r\n"),
                step("put in it", "put d 0 5 0 907060870 TX:s:1 42\r\nhello"),
                step("old put in it", "put d 0 5 0 TX:s:1 43\r\nhello"),
                step("put in it, any partition", "put d -1 5 0 -1 TX:s:1 45\r\nhello"),
                step("put in it, unknown partition", "put d 9 5 0 -1 TX:s:1 46\r\nhello"),
                step("get before commit", "get d g 0 0 1024 47\r\n"),
                step("local prepare", "transaction TX:s:1 s PREPARE 48\r\n"),
                step("local commit", "transaction TX:s:1 s COMMIT_ONE_PHASE 49\r\n"),
                eventually("get after commit", "get d g 0 0 1024 50\r\n"),
                step("local commit again", "transaction TX:s:1 s COMMIT_ONE_PHASE 51\r\n"),
                step("local rollback of unknown", "transaction TX:s:9 s ROLLBACK 52\r\n"),
                step("put in unknown", "put d 0 5 0 -1 TX:s:9 53\r\nhello"),
                step("local begin 2", "transaction TX:s:2 s BEGIN 54\r\n"),
                step("put in 2", "put d 0 5 0 -1 TX:s:2 55\r\nhello"),
                step("local rollback 2", "transaction TX:s:2 s ROLLBACK 56\r\n"),
                step("local begin 4", "transaction TX:s:4 s BEGIN 108\r\n"),
                step("put in it, wrong checksum", "put d 0 5 0 17 TX:s:4 44\r\nhello"),
                step("local rollback 4", "transaction TX:s:4 s ROLLBACK 109\r\n"),
                step("local begin 3", "transaction TX:s:3 s BEGIN 57\r\n"),
                step("empty local commit 3", "transaction TX:s:3 s COMMIT_ONE_PHASE 58\r\n"),
                step("xa begin", "transaction " + XA + " s BEGIN 30 q 60\r\n"),
                step("xa begin again", "transaction " + XA + " s BEGIN 30 q 61\r\n"),
                step("xa put", "put d 0 5 0 -1 " + XA + " 62\r\nhello"),
                step("xa commit too early", "transaction " + XA + " s COMMIT_TWO_PHASE q 63\r\n"),
                quiet("xa end", "transaction " + XA + " s END q 64\r\n"),
                step("xa prepare", "transaction " + XA + " s PREPARE q 65\r\n"),
                step("xa prepare again", "transaction " + XA + " s PREPARE q 66\r\n"),
                step("xa recover", "transaction null s RECOVER q 67\r\n"),
                step("xa recover of another", "transaction null s RECOVER other 68\r\n"),
                step("xa recover of all", "transaction null s RECOVER 69\r\n"),
                step("xa commit", "transaction " + XA + " s COMMIT_TWO_PHASE q 72\r\n"),
                step("xa commit again", "transaction " + XA + " s COMMIT_TWO_PHASE q 73\r\n"),
                step("xa recover none", "transaction null s RECOVER q 74\r\n"),
                step("xa prepare of unknown", "transaction XID:1:0a:0b:q s PREPARE q 75\r\n"),
                step(
                        "xa commit of unknown",
                        "transaction XID:1:0a:0b:q s COMMIT_TWO_PHASE q 76\r\n"),
                step(
                        "xa one phase of unknown",
                        "transaction XID:1:0a:0b:q s COMMIT_ONE_PHASE q 77\r\n"),
                step("xa rollback of unknown", "transaction XID:1:0a:0b:q s ROLLBACK q 78\r\n"),
                step("xa forget of unknown", "transaction XID:1:0a:0b:q s FORGET q 79\r\n"),
                step("xa begin 2", "transaction XID:1:02::q s BEGIN q 80\r\n"),
                step("xa empty prepare 2", "transaction XID:1:02::q s PREPARE q 81\r\n"),
                step(
                        "xa commit of readonly 2",
                        "transaction XID:1:02::q s COMMIT_TWO_PHASE q 82\r\n"),
                step("xa begin 3", "transaction XID:1:03::q s BEGIN q 83\r\n"),
                step("xa put 3", "put d 0 5 0 -1 XID:1:03::q 84\r\nhello"),
                step("xa one phase 3", "transaction XID:1:03::q s COMMIT_ONE_PHASE q 85\r\n"),
                step("xa begin 4", "transaction XID:1:04::q s BEGIN q 86\r\n"),
                step("xa put 4", "put d 0 5 0 -1 XID:1:04::q 87\r\nhello"),
                step("xa rollback 4", "transaction XID:1:04::q s ROLLBACK q 88\r\n"),
                eventually("get after all", "get d g 0 75 1024 89\r\n"),
                step("xa begin 5", "transaction XID:1:05::q s BEGIN q 101\r\n"),
                step("xa put 5", "put d 0 5 0 -1 XID:1:05::q 102\r\nhello"),
                step("xa prepare 5", "transaction XID:1:05::q s PREPARE q 103\r\n"),
                step("xa put when prepared", "put d 0 5 0 -1 XID:1:05::q 104\r\nhello"),
                step(
                        "xa one phase when prepared",
                        "transaction XID:1:05::q s COMMIT_ONE_PHASE q 105\r\n"),
                step("xa begin 7", "transaction XID:1:07::q s BEGIN 1 q 110\r\n"),
                new Step(
                        "xa put behind the time-out",
                        Kind.FINALLY_REFUSED,
                        "put d 0 5 0 -1 XID:1:07::q 111\r\nhello"),
                step(
                        "xa prepare behind the time-out",
                        "transaction XID:1:07::q s PREPARE q 112\r\n"),
                step(
                        "xa rollback behind the time-out",
                        "transaction XID:1:07::q s ROLLBACK q 113\r\n"),
                step("xa begin 6", "transaction XID:1:06::q s BEGIN 1 q 106\r\n"),
                step("xa rollback 6", "transaction XID:1:06::q s ROLLBACK q 107\r\n"),
                step("stats", "stats  90\r\n"),
                step("stats without opaque", "stats\r\n"),
                step("stats topics", "stats topics 92\r\n"),
                step("stats offsets", "stats offsets 93\r\n"),
                step("stats realtime", "stats realtime 94\r\n"),
                step("stats of a topic", "stats d 95\r\n"),
                step("stats topic without messages", "stats empty 95\r\n"),
                step("stats of an unknown topic", "stats nosuch 96\r\n"),
                step("stats help", "stats help 97\r\n"),
                step("stats reset", "stats reset 98\r\n"),
                step("stats config", "stats config 99\r\n"),
                silent("sync", "sync d 0 5 0 4711 -1 100\r\nhello"),
                silent("unknown command", "hello 1\r\n"),
                silent("unknown command with a known letter", "gut d g 1 0 100 1\r\n"),
                silent("upper case", "GET d g 1 0 100 1\r\n"),
                silent("blank line", "\r\n"),
                silent("too few tokens", "get d g 1 0\r\n"),
                silent("too many tokens", "get d g 1 0 100 1 1\r\n"),
                silent("put with too few tokens", "put d 1 5\r\nhello"),
                silent("not a number", "get d g one 0 100 1\r\n"),
                silent("two blanks", "get  d g 1 0 100 1\r\n"),
                silent("unknown transaction type", "transaction TX:s:5 s EXPLODE 1\r\n"),
                silent("malformed transaction key", "transaction TX:s s BEGIN 1\r\n"),
                silent("opaque too large", "version 99999999999\r\n"),
                silent("negative body length", "put d 1 -1 0 -1 1\r\n"),
                silent("line feed only", "version 1\n"),
                silent("body too short", "put d 1 5 0 -1 1\r\nhel"),
                silent("stray result", "result 200 0 1\r\n"),
                silent("stray value", "value 0 1\r\n"),
                silent("quit", "quit\r\n"),
                silent("quit with opaque", "quit 1\r\n"),
                silent("long line", "version " + "0".repeat(5000) + "1\r\n"));
    }

    @Test
    void shouldAnswerAsMetaQsServerDoesButForWhatIsDocumented(@TempDir Path directory)
            throws Exception {
        Map<String, String> ours;
        Map<String, String> theirs;
        try (TestingServer zookeeper = new TestingServer();
                MetaqServer broker = OurServer.start(directory.resolve("ours"), ini(zookeeper, 1));
                MetaqServer original =
                        OriginalServer.startOrSkip(
                                directory.resolve("theirs"), ini(zookeeper, 2))) {
            ours = answers(broker);
            theirs = answers(original);
        }
        Map<String, String> differing = new TreeMap<>();
        ours.forEach(
                (name, answer) -> {
                    if (!answer.equals(theirs.get(name))) {
                        differing.put(
                                name, "\n  ours: " + answer + "\n  theirs: " + theirs.get(name));
                    }
                });
        Map<String, String> undocumented = new TreeMap<>(differing);
        Set<String> documented = documented();
        undocumented.keySet().removeAll(documented);
        assertThat(undocumented).as("differences that %s does not list", DOC).isEmpty();
        documented.removeAll(differing.keySet());
        assertThat(documented).as("listed in %s, but there is no difference", DOC).isEmpty();
    }

    private static ServerIni ini(TestingServer zookeeper, int brokerId) {
        return new ServerIni(brokerId, zookeeper.getConnectString())
                .topic("d", 2)
                .topic("single", 1)
                .topic("empty", 1);
    }

    /** Names of steps in the first column of the table. */
    private static Set<String> documented() throws IOException {
        String text = Files.readString(DOC);
        String table = text.substring(text.indexOf(TABLE) + TABLE.length());
        int end = table.indexOf("\n## ");
        Set<String> names = new TreeSet<>();
        for (String row : (end < 0 ? table : table.substring(0, end)).split("\n")) {
            if (row.startsWith("| `")) {
                Matcher name = Pattern.compile("`([^`]+)`").matcher(row.split("\\|")[1]);
                while (name.find()) {
                    names.add(name.group(1));
                }
            }
        }
        return names;
    }

    private static Map<String, String> answers(MetaqServer server) throws Exception {
        Map<String, String> answers = new LinkedHashMap<>();
        List<Probe> probes = new ArrayList<>(List.of(new Probe(server.port())));
        try {
            for (Step step : steps()) {
                Probe last = probes.get(probes.size() - 1);
                if (step.kind() == Kind.ALONE) {
                    last = new Probe(server.port());
                    probes.add(last);
                }
                answers.put(step.name(), comparable(step, answer(last, step)));
            }
        } finally {
            for (Probe probe : probes) {
                probe.close();
            }
        }
        return answers;
    }

    private static String answer(Probe probe, Step step) throws IOException {
        return switch (step.kind()) {
            case ANSWERED -> probe.ask(step.command());
            case NOT_ANSWERED, ALONE -> probe.askInVain(step.command());
            case EVENTUALLY -> askUntil("value", probe, step);
            case FINALLY_REFUSED -> askUntil("500", probe, step);
        };
    }

    private static String askUntil(String beginning, Probe probe, Step step) {
        return await().atMost(PATIENCE)
                .until(() -> probe.ask(step.command()), answer -> answer.startsWith(beginning));
    }

    /** Without what differs between any two servers: numbers in statistics, the version. */
    private static String comparable(Step step, String answer) {
        if (step.command().startsWith("v") && answer.startsWith("200 ")) {
            return "200 VERSION";
        } else if (step.command().startsWith("stats config")) {
            return answer.split("\r?\n")[0];
        } else if (step.command().startsWith("stats")) {
            return Arrays.stream(answer.replaceAll(" \\d[\\d.]*", " N").split("\r\n"))
                    .sorted()
                    .collect(Collectors.joining("|"));
        }
        return answer;
    }
}
