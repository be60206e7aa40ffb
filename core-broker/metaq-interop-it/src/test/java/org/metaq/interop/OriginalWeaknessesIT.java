package org.metaq.interop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.metaq.interop.ClassicClient.TIMEOUT;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.producer.SendResult;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.tools.ToolProvider;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.jms.MetaQConnectionFactory;

/**
 * What was seen to go wrong in MetaQ's own server 1.4.6.2, done right by our broker. Each test
 * names the section of MetaQ's description that it answers.
 */
class OriginalWeaknessesIT {
    private static final String XID = "XID:100:0102:0304:q";

    @TempDir Path directory;

    private OurServer start(ServerIni ini) throws Exception {
        return OurServer.start(directory, ini);
    }

    /**
     * 3.3: with the transaction journal in the data directory, stored partitions answered 404 after
     * a restart until the next put.
     */
    @Test
    void shouldServeEveryPartitionAfterARestart() throws Exception {
        // theirs opened so many at a time, and forgot the rest
        int count = 2 * (Runtime.getRuntime().availableProcessors() + 1) + 1;
        try (OurServer server = start(ServerIni.alone().topic("t", count))) {
            try (Wire wire = new Wire(server.port())) {
                for (int partition = 0; partition < count; partition++) {
                    wire.put("t", partition, "message" + partition);
                }
            }
            server.kill9();
            server.restart();
            try (Wire wire = new Wire(server.port())) {
                for (int partition = 0; partition < count; partition++) {
                    assertThat(wire.texts("t", partition)).containsExactly("message" + partition);
                }
            }
        }
    }

    /** 4.5.1: a prepared branch was lost when a checkpoint ran before a crash. */
    @Test
    void shouldKeepAPreparedBranchOverACheckpointAndAKill() throws Exception {
        ServerIni ini = ServerIni.alone().topic("t", 1).system("checkpointBytes", "1M");
        try (OurServer server = start(ini)) {
            try (Wire wire = new Wire(server.port())) {
                prepare(wire, XID, "in doubt");
                // a later branch: theirs recorded the position of the newest
                wire.transaction("XID:1:01:01:q", "BEGIN 30 q");
                wire.putIn("XID:1:01:01:q", "t", 0, "unprepared");
                server.awaitCheckpoint(wire, "t");
            }
            server.kill9();
            server.restart();
            try (Wire wire = new Wire(server.port())) {
                assertThat(wire.transaction("null", "RECOVER q")).isEqualTo(XID);
                wire.transaction(XID, "COMMIT_TWO_PHASE q");
                assertThat(wire.texts("t", 0)).contains("in doubt").doesNotContain("unprepared");
            }
        }
    }

    private static void prepare(Wire wire, String xid, String text) throws IOException {
        wire.transaction(xid, "BEGIN 30 q");
        wire.putIn(xid, "t", 0, text);
        assertThat(wire.transaction(xid, "PREPARE q")).isEqualTo("0");
    }

    /** 4.5.2: the commit of a recovered branch overwrote messages that came after the restart. */
    @Test
    void shouldAppendARecoveredBranchBehindNewerMessages() throws Exception {
        List<String> expected = new ArrayList<>(List.of("before"));
        try (OurServer server = start(ServerIni.alone().topic("t", 1))) {
            try (Wire wire = new Wire(server.port())) {
                wire.put("t", 0, "before");
                prepare(wire, XID, "in doubt");
            }
            server.kill9();
            server.restart();
            try (Wire wire = new Wire(server.port())) {
                for (int i = 0; i < 5; i++) {
                    wire.put("t", 0, "newer" + i);
                    expected.add("newer" + i);
                }
                wire.transaction(XID, "COMMIT_TWO_PHASE q");
                expected.add("in doubt");
                assertThat(wire.texts("t", 0)).isEqualTo(expected);
            }
            server.kill9();
            server.restart();
            try (Wire wire = new Wire(server.port())) {
                assertThat(wire.texts("t", 0)).isEqualTo(expected);
            }
        }
    }

    /** 4.5.3: the local transaction of a dead connection stayed open for ever. */
    @Test
    void shouldRollALocalTransactionBackWhenItsConnectionEnds() throws Exception {
        try (OurServer server = start(ServerIni.alone().topic("t", 1));
                Wire other = new Wire(server.port())) {
            try (Wire wire = new Wire(server.port())) {
                wire.transaction("TX:session:1", "BEGIN");
                wire.putIn("TX:session:1", "t", 0, "lost");
            }
            // its key is free again once the broker has seen the end
            await().atMost(TIMEOUT)
                    .until(
                            () ->
                                    other.ask("transaction TX:session:1 session COMMIT_ONE_PHASE")
                                            .contains("has not been started"));
            assertThat(other.texts("t", 0)).isEmpty();
        }
    }

    /** 4.5.4: a commit was answered before its messages were there. */
    @Test
    void shouldShowWhatWasCommittedWhenTheCommitIsAnswered() throws Exception {
        try (OurServer server = start(ServerIni.alone().topic("t", 2));
                Wire wire = new Wire(server.port())) {
            for (int i = 0; i < 50; i++) {
                String key = "TX:session:" + i;
                wire.transaction(key, "BEGIN");
                wire.putIn(key, "t", 0, "a" + i);
                wire.putIn(key, "t", 1, "b" + i);
                wire.transaction(key, "COMMIT_ONE_PHASE");
                assertThat(wire.texts("t", 0)).hasSize(i + 1).endsWith("a" + i);
                assertThat(wire.texts("t", 1)).hasSize(i + 1).endsWith("b" + i);
            }
        }
    }

    /** 1.2: in a transaction a wrong checksum was accepted, and recomputed at the commit. */
    @Test
    void shouldVerifyTheChecksumInATransaction() throws Exception {
        try (OurServer server = start(ServerIni.alone().topic("t", 1));
                Wire wire = new Wire(server.port())) {
            wire.transaction("TX:session:1", "BEGIN");
            assertThat(wire.askWith("put t 0 5 0 17 TX:session:1", "hello".getBytes(ISO_8859_1)))
                    .startsWith("500 ");
            wire.transaction("TX:session:1", "COMMIT_ONE_PHASE");
            assertThat(wire.texts("t", 0)).isEmpty();
        }
    }

    /** 1.1: commands of one connection were executed out of order, a put before its BEGIN. */
    @Test
    void shouldExecuteTheCommandsOfAConnectionInTheirOrder() throws Exception {
        try (OurServer server = start(ServerIni.alone().topic("t", 1));
                Wire wire = new Wire(server.port())) {
            int count = 100;
            for (int i = 0; i < count; i++) {
                String key = "TX:session:" + i;
                wire.sendWith("transaction " + key + " session BEGIN", new byte[0]);
                wire.sendWith(
                        Wire.putCommand("t", 0, 3) + " " + key,
                        "%03d".formatted(i).getBytes(ISO_8859_1));
                wire.sendWith("transaction " + key + " session COMMIT_ONE_PHASE", new byte[0]);
            }
            for (int i = 0; i < 3 * count; i++) {
                assertThat(wire.readReply()).startsWith("200 ");
            }
            assertThat(wire.texts("t", 0)).hasSize(count).isSorted();
        }
    }

    /** 8: puts above and below 512 KiB raced for the same offset. */
    @Test
    void shouldGiveEveryPutAnOffsetOfItsOwn() throws Exception {
        try (OurServer server = start(ServerIni.alone().topic("t", 1))) {
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                List<Callable<Map<Long, Integer>>> writers = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    int length = i == 0 ? 700 * 1024 : 100 + i;
                    int count = i == 0 ? 20 : 1000;
                    writers.add(() -> putMany(server.port(), length, count));
                }
                Map<Long, Integer> lengths = new HashMap<>();
                int sent = 0;
                for (Future<Map<Long, Integer>> result : threads.invokeAll(writers)) {
                    sent += result.get().size();
                    lengths.putAll(result.get());
                }
                assertThat(lengths).hasSize(sent).hasSize(3020);
                try (Wire wire = new Wire(server.port())) {
                    Map<Long, Integer> stored = new HashMap<>();
                    wire.readAll("t", 0, 0)
                            .forEach(read -> stored.put(read.offset(), read.text().length()));
                    assertThat(stored).isEqualTo(lengths);
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** Lengths of bodies by the offsets that the server told. */
    private static Map<Long, Integer> putMany(int port, int length, int count) throws IOException {
        Map<Long, Integer> lengths = new HashMap<>();
        byte[] body = new byte[length];
        int window = 10;
        try (Wire wire = new Wire(port)) {
            for (int i = 0; i < count + window; i++) {
                if (i < count) {
                    wire.sendWith(Wire.putCommand("t", 0, length), body);
                }
                if (i >= window) {
                    lengths.put(Wire.stored(wire.readReply()).offset(), length);
                }
            }
        }
        return lengths;
    }

    /**
     * 1.6.1, 2.2 and 8: message ids came from a clock that begins anew with the host, and repeated.
     */
    @Test
    void shouldNeverGiveAMessageIdTwice() throws Exception {
        List<Long> ids = new ArrayList<>();
        try (OurServer server = start(ServerIni.alone().topic("t", 1))) {
            for (int life = 0; life < 3; life++) {
                if (life > 0) {
                    server.kill9();
                    server.restart();
                }
                try (Wire wire = new Wire(server.port())) {
                    for (int i = 0; i < 5000; i++) {
                        wire.sendWith(Wire.putCommand("t", 0, 1), new byte[1]);
                    }
                    for (int i = 0; i < 5000; i++) {
                        ids.add(Wire.stored(wire.readReply()).id());
                    }
                }
            }
        }
        assertThat(ids).allMatch(id -> id > 0).doesNotHaveDuplicates().isSorted();
        long firstMs = (Collections.min(ids) >> 22) + 1_303_895_660_503L;
        assertThat(firstMs).isCloseTo(System.currentTimeMillis(), within(3_600_000L));
    }

    private static org.assertj.core.data.Offset<Long> within(long offset) {
        return org.assertj.core.data.Offset.offset(offset);
    }

    /**
     * 2.4 and 8: a message longer than a get blocked its partition for ever. Ours refuses such a
     * put; one that a JMS client may send comes whole if MetaQ's client can take it, and is passed
     * over if not.
     */
    @Test
    void shouldNotBlockAPartitionBehindAMessageThatIsTooLarge() throws Exception {
        try (TestingServer zookeeper = new TestingServer();
                OurServer server =
                        start(new ServerIni(0, zookeeper.getConnectString()).topic("t", 1));
                ClassicClient client = new ClassicClient(zookeeper.getConnectString())) {
            byte[] large = new byte[1200 * 1024];
            byte[] tooLarge = new byte[3 * 1024 * 1024];
            try (Wire wire = new Wire(server.port())) {
                wire.put("t", 0, large);
            }
            SendResult refused = client.producer("t").sendMessage(new Message("t", tooLarge));
            assertThat(refused.isSuccess()).isFalse();
            assertThat(refused.getErrorMessage()).contains(Integer.toString(tooLarge.length));
            sendByJms(server.port(), large);
            sendByJms(server.port(), tooLarge);
            try (Wire wire = new Wire(server.port())) {
                wire.put("t", 0, "last");
                assertThat(wire.ask("stats ")).contains("get_skipped 0");
            }
            Inbox inbox = new Inbox();
            client.consumer("t", "g", inbox);
            inbox.awaitTexts(3);
            assertThat(inbox.messages().stream().map(message -> message.getData().length))
                    .containsExactly(large.length, large.length, "last".length());
            assertThat(server.log()).contains("classic-reader-skips topic=t");
            try (Wire wire = new Wire(server.port())) {
                assertThat(wire.ask("stats ")).contains("get_skipped 1");
            }
        }
    }

    /** 7.3: behind a message that the broker's filter rejected a group never got another. */
    @Test
    void shouldNotStallAGroupBehindMessagesThatItsFilterRejects() throws Exception {
        Path provided = directory.resolve("provided");
        compileFilter(provided);
        try (TestingServer zookeeper = new TestingServer();
                OurServer server =
                        start(
                                new ServerIni(0, zookeeper.getConnectString())
                                        .system("appClassPath", provided.toString())
                                        .topic("t", 1, "group.picky=Picky"));
                ClassicClient client = new ClassicClient(zookeeper.getConnectString())) {
            List<String> all = new ArrayList<>();
            // runs of all lengths, rejected ones first and last
            for (int run = 1; run <= 20; run++) {
                for (int i = 0; i < run; i++) {
                    all.add((run % 2 == 0 ? "yes" : "no") + run + "-" + i);
                }
            }
            all.add("no");
            try (Wire wire = new Wire(server.port())) {
                for (String text : all) {
                    wire.put("t", 0, text);
                }
            }
            List<String> accepted = all.stream().filter(text -> text.startsWith("yes")).toList();
            Inbox picky = new Inbox();
            client.consumer("t", "picky", picky);
            Inbox other = new Inbox();
            client.consumer("t", "other", other);
            assertThat(picky.awaitTexts(accepted.size())).isEqualTo(accepted);
            assertThat(other.awaitTexts(all.size())).isEqualTo(all);
            try (Wire wire = new Wire(server.port())) {
                wire.put("t", 0, "yes, later");
            }
            assertThat(picky.awaitTexts(accepted.size() + 1)).endsWith("yes, later");
        }
    }

    /** A filter as MetaQ's users have them, against MetaQ's interface. */
    private static void compileFilter(Path folder) throws IOException {
        Files.createDirectories(folder);
        Path source = folder.resolve("Picky.java");
        Files.writeString(
                source,
                """
                import com.taobao.metamorphosis.Message;
                import com.taobao.metamorphosis.consumer.ConsumerMessageFilter;

                public class Picky implements ConsumerMessageFilter {
                    @Override
                    public boolean accept(String group, Message message) {
                        return new String(message.getData()).startsWith("yes");
                    }
                }
                """);
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                System.getProperty("java.class.path"),
                                source.toString());
        assertThat(status).isZero();
        Files.delete(source);
    }

    private static void sendByJms(int port, byte[] body) throws Exception {
        try (Connection connection =
                        new MetaQConnectionFactory("metaq://127.0.0.1:" + port).createConnection();
                Session session = connection.createSession()) {
            var message = session.createBytesMessage();
            message.writeBytes(body);
            session.createProducer(session.createTopic("t")).send(message);
        }
    }

    /** 8: acceptPublish=false did not stop a put that came all the same. */
    @Test
    void shouldRefuseAPutWhereNothingIsAccepted() throws Exception {
        try (OurServer server = start(ServerIni.alone().topic("closed", 1, "acceptPublish=false"));
                Wire wire = new Wire(server.port())) {
            assertThat(wire.askWith(Wire.putCommand("closed", 0, 1), new byte[1]))
                    .startsWith("403 Put message to ")
                    .contains("acceptPublish");
            assertThat(wire.texts("closed", 0)).isEmpty();
        }
    }
}
