package org.metaq.client.consume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metaq.protocol.ProtocolException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps rejected messages on the local disk and delivers them again, first some seconds after the
 * start, then every few minutes, until the listener takes them; on a thread of its own, so beside
 * later messages of their partitions. What the host keeps stays with the host when its partitions
 * go to other members.
 *
 * <p>A file per message ({@code docs/formats.md}), {@code
 * <directory>/<group>/<topic>/<partition>-<offset>.message}. One that cannot be read is renamed to
 * {@code .damaged} and logged; it does not hold up the others.
 */
public final class LocalRecovery implements RejectPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(LocalRecovery.class);
    private static final String SUFFIX = ".message";
    private static final long FIRST_DELAY_MS = 5_000;
    private static final long PERIOD_MS = 300_000;
    private static final long END_MS = 10_000;

    private final Path directory;
    private final long firstDelayMs;
    private final long periodMs;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable Thread thread;

    /** In {@code .metaq/rejected} of the user's home directory. */
    public static LocalRecovery inHome() {
        return new LocalRecovery(Path.of(System.getProperty("user.home"), ".metaq", "rejected"));
    }

    /** Delivers again 5 s after the start, then every 5 minutes. */
    public LocalRecovery(Path directory) {
        this(directory, FIRST_DELAY_MS, PERIOD_MS);
    }

    /**
     * With other times.
     *
     * @param firstDelayMs milliseconds from the start to the first attempt, 0 or more
     * @param periodMs milliseconds between attempts, &gt;= 1
     */
    public LocalRecovery(Path directory, long firstDelayMs, long periodMs) {
        if (firstDelayMs < 0 || periodMs < 1) {
            throw new IllegalArgumentException(
                    "firstDelayMs must be >= 0 and periodMs >= 1, not "
                            + firstDelayMs
                            + " and "
                            + periodMs);
        }
        this.directory = directory;
        this.firstDelayMs = firstDelayMs;
        this.periodMs = periodMs;
    }

    @Override
    public void reject(Rejection rejection) throws IOException {
        ReceivedMessage message = rejection.message();
        Path place = directory.resolve(rejection.group()).resolve(message.topic());
        Files.createDirectories(place);
        String name = message.partition() + "-" + message.offset() + SUFFIX;
        RecoveryFile.write(place.resolve(name), message);
        LOG.warn(
                "group {} keeps {} on disk after {} deliveries",
                rejection.group(),
                message,
                rejection.deliveryCount(),
                rejection.cause());
    }

    @Override
    public void start(String group, MessageListener listener) {
        if (thread != null) {
            throw new IllegalStateException("a policy serves one consumer");
        }
        Thread started = new Thread(() -> run(group, listener), "metaq-recovery-" + group);
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private void run(String group, MessageListener listener) {
        try {
            long delayMs = firstDelayMs;
            while (!closing.await(delayMs, TimeUnit.MILLISECONDS)) {
                delayMs = periodMs;
                try {
                    deliverAll(directory.resolve(group), listener);
                } catch (IOException | RuntimeException e) {
                    LOG.error("rejected messages of {}, again in {} ms", group, delayMs, e);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("interrupted, delivers no more", e);
        }
    }

    private void deliverAll(Path place, MessageListener listener) throws IOException {
        if (!Files.isDirectory(place)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> found = Files.walk(place, 2)) {
            files =
                    found.filter(file -> file.toString().endsWith(SUFFIX))
                            .sorted(Comparator.comparingLong(LocalRecovery::offsetOf))
                            .toList();
        }
        for (Path file : files) {
            if (closing.getCount() == 0) {
                return;
            }
            deliver(file, listener);
        }
    }

    private static long offsetOf(Path file) {
        String name = String.valueOf(file.getFileName());
        try {
            return Long.parseLong(
                    name.substring(name.lastIndexOf('-') + 1, name.length() - SUFFIX.length()));
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private static void deliver(Path file, MessageListener listener) throws IOException {
        ReceivedMessage message;
        try {
            message = RecoveryFile.read(file);
        } catch (ProtocolException | IllegalArgumentException e) {
            LOG.error("{} is damaged: {}", file, e.getMessage());
            Files.move(file, file.resolveSibling(file.getFileName() + ".damaged"));
            return;
        }
        try {
            listener.onMessage(message);
        } catch (Exception e) { // whatever a listener throws
            LOG.warn("{} fails again: {}", message, e.toString());
            return;
        }
        Files.delete(file);
    }

    @Override
    public void close() {
        closing.countDown();
        Thread started = thread;
        try {
            if (started != null) {
                started.join(END_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
