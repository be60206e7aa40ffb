package org.metaq.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metaq.store.log.TestMessages.array;
import static org.metaq.store.log.TestMessages.message;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.store.io.FileLength;

/**
 * Random work on a few logs against a list in memory: appends, publications, reads, forced cuts,
 * and restarts that fall back to the last cut. Replay one with {@code -Dmetaq.seed=N}.
 */
class PartitionLogPropertyTest {
    private static final int LOG_COUNT = 4;

    private record Message(byte[] bytes, MessageMeta meta) {}

    private static final class Model {
        final List<Message> messages = new ArrayList<>();
        int publishedCount;
        int cutCount;

        long endOffset() {
            return messages.isEmpty()
                    ? 0
                    : messages.get(messages.size() - 1).meta().offset()
                            + messages.get(messages.size() - 1).meta().length();
        }
    }

    @TempDir Path temp;

    @Test
    void shouldBehaveAsAListOfMessagesThroughAppendsCutsAndRestarts() {
        Long replayed = Long.getLong("metaq.seed");
        long base = replayed != null ? replayed : System.nanoTime();
        int count = replayed != null ? 1 : 15;
        for (long seed = base; seed < base + count; seed++) {
            try {
                run(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("replay with -Dmetaq.seed=" + seed, e);
            }
        }
    }

    private void run(long seed) {
        Random random = new Random(seed);
        LogTestDirectory directory = new LogTestDirectory(temp.resolve("run" + seed));
        LogOptions options =
                new LogOptions(
                        500 + random.nextInt(20_000),
                        2 + random.nextInt(8),
                        1024 + random.nextInt(4096),
                        1 + random.nextInt(3),
                        1 + random.nextInt(3));
        Model[] models = new Model[LOG_COUNT];
        Arrays.setAll(models, i -> new Model());
        Map<String, Long> cutFiles = new TreeMap<>();
        LogContext context = new LogContext(directory, options);
        PartitionLog[] logs = openAll(context);
        for (int step = 0; step < 300; step++) {
            int i = random.nextInt(LOG_COUNT);
            int action = random.nextInt(100);
            if (action < 45) {
                append(logs[i], models[i], random);
            } else if (action < 65) {
                logs[i].publish();
                models[i].publishedCount = models[i].messages.size();
            } else if (action < 93) {
                check(logs[i], models[i], random);
            } else if (action < 97) {
                cutAll(logs, models, cutFiles);
            } else {
                for (PartitionLog log : logs) {
                    log.close();
                }
                assertThat(context.openFileCount()).isZero();
                assertThat(context.buffers().takenCount()).isZero();
                restoreFiles(directory, cutFiles);
                context = new LogContext(directory, options);
                logs = openAll(context);
                for (Model model : models) {
                    model.messages.subList(model.cutCount, model.messages.size()).clear();
                    model.publishedCount = model.cutCount;
                }
            }
        }
    }

    private static PartitionLog[] openAll(LogContext context) {
        PartitionLog[] logs = new PartitionLog[LOG_COUNT];
        Arrays.setAll(logs, i -> PartitionLog.open(context, "topics/t-" + i));
        return logs;
    }

    private static void append(PartitionLog log, Model model, Random random) {
        for (int n = random.nextInt(random.nextInt(5) == 0 ? 400 : 20); n >= 0; n--) {
            int length = 20 + random.nextInt(random.nextInt(20) == 0 ? 8000 : 60);
            MessageMeta meta =
                    new MessageMeta(
                            model.endOffset(),
                            length,
                            random.nextLong(),
                            random.nextLong(),
                            random.nextInt(20) == 0 ? random.nextInt(10) : 4,
                            random.nextInt(20) == 0 ? random.nextInt(256) : 1);
            ByteBuffer message = message(random.nextInt(), length);
            long sequence =
                    log.append(
                            message,
                            meta.timestampMs(),
                            meta.expirationMs(),
                            meta.priority(),
                            meta.flags());
            assertThat(sequence).isEqualTo(model.messages.size());
            model.messages.add(new Message(array(message), meta));
            assertThat(log.endSequence()).isEqualTo(sequence + 1);
            assertThat(log.endOffset()).isEqualTo(model.endOffset());
        }
    }

    private static void check(PartitionLog log, Model model, Random random) {
        assertThat(log.publishedEndSequence()).isEqualTo(model.publishedCount);
        if (model.publishedCount == 0) {
            return;
        }
        int first = random.nextInt(model.publishedCount);
        int last = Math.min(model.publishedCount - 1, first + random.nextInt(300));
        for (int i = first; i <= last; i++) {
            assertThat(log.meta(i)).isEqualTo(model.messages.get(i).meta());
        }
        checkRuns(log, model, first, last + 1);
        byte[] run = array(log.bytes(first, last));
        int at = 0;
        for (int i = first; at < run.length; i++) {
            byte[] expected = model.messages.get(i).bytes();
            assertThat(Arrays.copyOfRange(run, at, at + expected.length)).isEqualTo(expected);
            at += expected.length;
        }
        assertThat(at).isEqualTo(run.length);
        byte[] expected = model.messages.get(last).bytes();
        assertThat(array(log.bytes(last))).isEqualTo(expected);
        assertThat(array(log.read(model.messages.get(last).meta().offset(), expected.length)))
                .isEqualTo(expected);
    }

    private static void checkRuns(PartitionLog log, Model model, int first, int end) {
        int position = first;
        while (position < end) {
            int next = (int) log.endOfAlike(position, end);
            assertThat(next).isGreaterThan(position).isLessThanOrEqualTo(end);
            MessageMeta like = model.messages.get(position).meta();
            for (; position < next; position++) {
                MessageMeta meta = model.messages.get(position).meta();
                assertThat(meta.priority()).isEqualTo(like.priority());
                assertThat(meta.flags()).isEqualTo(like.flags());
            }
        }
    }

    private static void cutAll(PartitionLog[] logs, Model[] models, Map<String, Long> cutFiles) {
        cutFiles.clear();
        for (int i = 0; i < LOG_COUNT; i++) {
            logs[i].publish();
            models[i].publishedCount = models[i].messages.size();
            models[i].cutCount = models[i].publishedCount;
            LogCut cut = logs[i].cut();
            cut.force();
            for (FileLength file : cut.files()) {
                cutFiles.put(file.path(), file.length());
            }
        }
    }

    private static void restoreFiles(LogTestDirectory directory, Map<String, Long> cutFiles) {
        for (int i = 0; i < LOG_COUNT; i++) {
            String path = "topics/t-" + i;
            for (String name : directory.list(path)) {
                Long length = cutFiles.get(path + "/" + name);
                if (length == null) {
                    directory.delete(path + "/" + name);
                } else {
                    try (var file = directory.open(path + "/" + name)) {
                        file.truncate(length);
                    }
                }
            }
        }
    }
}
