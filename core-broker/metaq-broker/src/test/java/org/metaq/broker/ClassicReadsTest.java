package org.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.broker.filter.MessageFilter;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.MessageFormat;

/** MetaQ's get, and who may not read. */
class ClassicReadsTest {
    @TempDir Path root;

    private TestBroker broker;
    private TestBroker.Client client;

    @BeforeEach
    void start() {
        broker = new TestBroker(root, BrokerConfig.defaults(1));
        client = broker.connectClassic();
    }

    private long put(String text) {
        ByteBuffer body = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        String answer = client.answer(o -> new Command.Put("test", 0, 0, -1, body, o));
        assertThat(answer).startsWith("200 ");
        return Long.parseLong(answer.substring(answer.lastIndexOf(' ') + 1));
    }

    private String get(TestBroker.Client from, long offset, int maxSize) {
        return from.answer(o -> new Command.Get("test", "g", 0, offset, maxSize, o));
    }

    private String get(long offset, int maxSize) {
        return get(client, offset, maxSize);
    }

    @Test
    void shouldHandOutAtLeastOneWholeMessageHoweverLittleIsAskedFor() {
        put("a".repeat(5_000));
        put("b");
        assertThat(get(0, 100)).hasSize("200 ".length() + MessageFormat.HEADER_LENGTH + 5_000);
        // in the midst of a message it is bytes, as with MetaQ
        assertThat(get(10, 100)).hasSize("200 ".length() + 100);
    }

    /** Section 2.4: MetaQ takes 1.2 MB and never gets it out again. */
    @Test
    void shouldNotBlockAPartitionWithAMessageLongerThanMaxTransferSize() {
        put("a".repeat(1_200_000));
        long second = put("b");
        assertThat(get(0, 1 << 20)).hasSize("200 ".length() + (int) second);
        assertThat(get(second, 1 << 20)).endsWith("b");
    }

    @Test
    void shouldRefuseAPutThatNoClassicConsumerCouldRead() {
        ByteBuffer body = ByteBuffer.allocate(2 * 1024 * 1024 + 1);
        assertThat(client.answer(o -> new Command.Put("test", 0, 0, -1, body, o)))
                .startsWith("500 Put message to ")
                .contains("2097153")
                .contains("2097152");
        body.limit(2 * 1024 * 1024);
        assertThat(client.answer(o -> new Command.Put("test", 0, 0, -1, body, o)))
                .startsWith("200 ");
    }

    @Test
    void shouldLeadAClassicReaderPastAMessageThatItCannotTakeButGiveItToAJmsClient() {
        TestBroker.Client jms = broker.connect();
        jms.topic("test");
        long large = put("small");
        large += MessageFormat.HEADER_LENGTH + 5;
        jms.send("test", "x".repeat(3_000_000));
        long behind = large + MessageFormat.HEADER_LENGTH + 3_000_000;
        put("behind");
        assertThat(get(0, 1 << 20)).startsWith("200 ").contains("small");
        assertThat(get(large, 1 << 20)).isEqualTo("301 " + behind);
        assertThat(get(behind, 1 << 20)).endsWith("behind");
        assertThat(get(jms, large, 1 << 20))
                .hasSize("200 ".length() + MessageFormat.HEADER_LENGTH + 3_000_000);
        assertThat(client.answer(o -> new Command.Stats("", o))).contains("get_skipped 1\r\n");
    }

    @Test
    void shouldMoveAReaderThatIsOffEitherEnd() {
        put("a");
        long end = MessageFormat.HEADER_LENGTH + 1;
        assertThat(get(-7, 100)).isEqualTo("301 0");
        assertThat(get(Long.MAX_VALUE, 100)).isEqualTo("301 " + end);
        assertThat(get(end + 1, 100)).isEqualTo("301 " + end);
        assertThat(get(end, 100)).isEqualTo("404 Could not find message at position " + end);
        assertThat(get(0, 0)).startsWith("400 ");
        assertThat(client.answer(o -> new Command.Get("test", "g", 5, 0, 100, o)))
                .startsWith("404 ");
    }

    @Test
    void shouldFindTheOffsetOfATime() {
        put("a");
        broker.advance(1_000);
        long second = put("b");
        long timeMs = broker.wallMs();
        broker.advance(1_000);
        long third = put("c");
        assertThat(offsetOfTime(0)).isZero();
        assertThat(offsetOfTime(timeMs)).isEqualTo(second);
        assertThat(offsetOfTime(timeMs + 1)).isEqualTo(third);
        assertThat(offsetOfTime(Long.MAX_VALUE)).isEqualTo(third + MessageFormat.HEADER_LENGTH + 1);
    }

    private long offsetOfTime(long timeMs) {
        String answer = client.answer(o -> new Command.OffsetOfTime("test", 0, timeMs, o));
        return Long.parseLong(answer.substring("200 ".length()));
    }

    @Test
    void shouldNeitherTakeNorHandOutMessagesOfAClosedPartitionAlsoAfterARestart() {
        put("a");
        assertThat(broker.broker.admin().closePartitions("test", 0, 0))
                .isNotCompletedExceptionally();
        broker.broker.doWork();
        broker.restart();
        broker.crash();
        client = broker.connectClassic();
        ByteBuffer body = ByteBuffer.wrap(new byte[1]);
        assertThat(client.answer(o -> new Command.Put("test", 0, 0, -1, body, o)))
                .startsWith("403 ");
        assertThat(client.answer(o -> new Command.Put("test", -1, 0, -1, body, o)))
                .startsWith("403 ");
        assertThat(get(0, 100)).startsWith("403 ");
        assertThat(broker.broker.admin().openPartitions("test")).isNotCompletedExceptionally();
        broker.broker.doWork();
        put("b");
    }

    @Test
    void shouldKeepMessagesOfAClosedPartitionFromJmsConsumersUntilItIsOpened() {
        TestBroker.Client jms = broker.connect();
        jms.queue("work");
        jms.consume(1, "queue@work");
        jms.send("queue@work", "kept");
        broker.broker.admin().closePartitions("queue@work", 0, 0);
        broker.broker.doWork();
        assertThat(jms.texts(1, 10)).isEmpty();
        assertThat(jms.error(jms.sendOf("queue@work", "refused", null, 0, 0)))
                .isEqualTo(ErrorCode.FORBIDDEN);
        int waiting = jms.acquire(1, 10, 10_000);
        broker.broker.admin().openPartitions("queue@work");
        broker.broker.doWork();
        assertThat(jms.received(waiting))
                .extracting(TestBroker.Received::text)
                .containsExactly("kept");
    }

    private static TopicCatalog catalog(String name, TopicSettings settings) {
        return new TopicCatalog(TopicSettings.defaults(1), Map.of(name, settings));
    }

    private static TopicSettings settings(
            int numPartitions, boolean publish, boolean subscribe, Map<String, String> filters) {
        TopicSettings d = TopicSettings.defaults(numPartitions);
        return new TopicSettings(
                numPartitions,
                publish,
                subscribe,
                true,
                d.deletePolicy(),
                d.deleteWhen(),
                0,
                false,
                0,
                1_000,
                "",
                filters);
    }

    @Test
    void shouldEnforceAcceptPublishAndAcceptSubscribe() {
        put("a");
        broker.broker.reconfigure(catalog("te*", settings(1, false, false, Map.of())));
        ByteBuffer body = ByteBuffer.wrap(new byte[1]);
        assertThat(client.answer(o -> new Command.Put("test", 0, 0, -1, body, o)))
                .startsWith("403 ")
                .contains("acceptPublish");
        assertThat(get(0, 100)).startsWith("403 ").contains("acceptSubscribe");
        TestBroker.Client jms = broker.connect();
        assertThat(jms.error(o -> new Command.Subscribe(1, "test", "", false, false, false, "", o)))
                .isEqualTo(ErrorCode.FORBIDDEN);
        broker.broker.reconfigure(TopicCatalog.of(TopicSettings.defaults(1)));
        put("b");
    }

    @Test
    void shouldCreateConfiguredTopicsAndAddPartitionsThatSubscriptionsRead() {
        TestBroker.Client jms = broker.connect();
        jms.queue("work");
        jms.consume(1, "queue@work");
        List<TopicRegistration> seen = new ArrayList<>();
        broker.broker.onTopicsChanged(
                topics -> {
                    seen.clear();
                    seen.addAll(topics);
                });
        broker.broker.reconfigure(
                new TopicCatalog(
                        TopicSettings.defaults(1),
                        Map.of(
                                "new", settings(2, true, false, Map.of()),
                                "queue@work", settings(3, true, true, Map.of()),
                                "never*", settings(2, true, true, Map.of()))));
        broker.broker.doWork();
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        new TopicRegistration("new", 2, true, false),
                        new TopicRegistration("queue@work", 3, true, true));
        for (int i = 0; i < 3; i++) {
            jms.send("queue@work", "m" + i);
        }
        assertThat(jms.texts(1, 10)).containsExactlyInAnyOrder("m0", "m1", "m2");
        broker.restart();
        assertThat(broker.broker.state().topic("queue@work").partitions()).hasSize(3);
    }

    @Test
    void shouldNeverGiveAMessageIdTwiceAlsoIfTheClockWasSetBackOverARestart() {
        ByteBuffer body = ByteBuffer.wrap(new byte[1]);
        long last = 0;
        for (int i = 0; i < 4; i++) {
            int[] puts = new int[5_000];
            for (int j = 0; j < puts.length; j++) {
                puts[j] = client.submitOnly(o -> new Command.Put("test", 0, 0, -1, body, o));
            }
            broker.broker.doWork();
            for (int put : puts) {
                long id = Long.parseLong(client.link.results.get(put).text().split(" ")[0]);
                assertThat(id).isGreaterThan(last);
                last = id;
            }
            broker.setClockBack(10_000_000);
            broker.crash();
            client = broker.connectClassic();
        }
    }

    // ---- filters

    /** Lets pass what the texts of its class name contain; {@code fail} makes it throw. */
    private static final class TestFilters implements Filters {
        final List<String> failed = new ArrayList<>();
        private final Executor executor;

        TestFilters() {
            this(Runnable::run);
        }

        TestFilters(Executor executor) {
            this.executor = executor;
        }

        @Override
        public @Nullable MessageFilter filter(String className) {
            return (group, message) -> {
                String text = new String(message.payload(), StandardCharsets.UTF_8);
                if (text.equals("fail")) {
                    throw new IllegalStateException(text);
                }
                return text.contains(className) && group.equals("g");
            };
        }

        @Override
        public Executor executor() {
            return executor;
        }

        @Override
        public void failed(String className, Throwable cause) {
            failed.add(className + " " + cause.getMessage());
        }
    }

    /** Section 7.3: MetaQ's own filter packs the accepted ones together and stalls its group. */
    @Test
    void shouldHandAFilteredGroupAllItsMessagesAndNoOthers() {
        TestFilters filters = new TestFilters();
        broker.broker.filters(filters);
        broker.broker.reconfigure(catalog("test", settings(1, true, true, Map.of("g", "yes"))));
        for (String text : "no yes1 yes2 no no yes3 no yes4 no no".split(" ")) {
            put(text);
        }
        StringBuilder got = new StringBuilder();
        long offset = 0;
        for (String answer = ""; !answer.startsWith("404"); ) {
            answer = get(offset, 70);
            if (answer.startsWith("301 ")) {
                offset = Long.parseLong(answer.substring(4));
            } else if (answer.startsWith("200 ")) {
                got.append(answer, 4, answer.length());
                offset += answer.length() - 4;
            }
        }
        assertThat(got).contains("yes1").contains("yes2").contains("yes3").contains("yes4");
        assertThat(got).doesNotContain("no");
        assertThat(filters.failed).isEmpty();
        assertThat(client.answer(o -> new Command.Get("test", "other", 0, 0, 1000, o)))
                .contains("no");
    }

    @Test
    void shouldFilterAFewReadsAtATimeAndRefuseThoseThatAreTooMany() {
        List<Runnable> tasks = new ArrayList<>();
        TestFilters filters = new TestFilters(tasks::add);
        broker.broker.filters(filters);
        broker.broker.reconfigure(catalog("test", settings(1, true, true, Map.of("g", "yes"))));
        put("yes");
        int count = FilteredReads.RUNNING_MAX + FilteredReads.WAITING_MAX;
        for (int i = 0; i < count; i++) {
            client.submitOnly(o -> new Command.Get("test", "g", 0, 0, 100, o));
        }
        assertThat(get(0, 100)).startsWith("503 ");
        assertThat(tasks).hasSize(FilteredReads.RUNNING_MAX);
        int answered = client.link.results.size();
        while (!tasks.isEmpty()) {
            List<Runnable> now = List.copyOf(tasks);
            tasks.clear();
            assertThat(now).hasSizeLessThanOrEqualTo(FilteredReads.RUNNING_MAX);
            now.forEach(Runnable::run);
            broker.broker.doWork();
        }
        assertThat(client.link.results).hasSize(answered + count);
        assertThat(filters.failed).isEmpty();
    }

    @Test
    void shouldHandOutEverythingWhenAFilterThrows() {
        TestFilters filters = new TestFilters();
        broker.broker.filters(filters);
        broker.broker.reconfigure(catalog("test", settings(1, true, true, Map.of("g", "yes"))));
        put("fail");
        put("no");
        assertThat(get(0, 1000)).contains("fail").contains("no");
        assertThat(filters.failed).containsExactly("yes fail");
    }

    @Test
    void shouldTellRecentActivityOfTopicsThatAskForIt() {
        broker.broker.reconfigure(catalog("test", settings(1, true, true, Map.of())));
        put("abc");
        put("abcde");
        broker.advance(4_000);
        get(0, 100);
        assertThat(client.answer(o -> new Command.Stats("realtime", o)))
                .contains(
                        "realtime_put Count=2,Value=2,Value/Count=1,Count/Duration=0.5,Duration=4\r\n")
                .contains("realtime_message_size Count=2,Value=8,Value/Count=4,")
                .contains("realtime_get_miss null\r\n");
        assertThat(client.answer(o -> new Command.Stats("test", o)))
                .startsWith("200 STATS\r\ntest\r\nresultCode 0\r\npartitions 1\r\nmessage_count 2")
                .contains("topic_realtime_get Count=1,");
        assertThat(client.answer(o -> new Command.Stats("nope", o))).contains("resultCode 1\r\n");
        assertThat(client.answer(o -> new Command.Stats("reset", o))).contains("reset ok\r\n");
        assertThat(client.answer(o -> new Command.Stats("realtime", o)))
                .contains("realtime_put null\r\n");
        broker.broker.configText("[system]\nbrokerId=1\n", 4_000_000_000L);
        assertThat(client.answer(o -> new Command.Stats("config", o)))
                .isEqualTo("200 [system]\nbrokerId=1\n");
        assertThat(client.answer(o -> new Command.Stats("", o)))
                .contains("slave false\r\n")
                .contains("config_checksum 4000000000\r\n");
    }
}
