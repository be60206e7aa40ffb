package org.metaq.server;

import java.nio.ByteBuffer;
import java.time.ZoneId;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.metaq.broker.Broker;
import org.metaq.broker.BrokerConnection;
import org.metaq.broker.ClientLink;
import org.metaq.common.Clock;
import org.metaq.protocol.Command;
import org.metaq.server.config.ServerConfig;
import org.metaq.server.filter.FilterLoader;
import org.metaq.store.StoreException;
import org.metaq.store.io.DirectoryLock;
import org.metaq.store.io.DiskDirectory;
import org.metaq.store.journal.FileJournal;
import org.metaq.store.journal.JournalOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The {@link Broker} over a locked data directory. Confined to the writer thread. */
final class StoreBrokerCore implements BrokerCore {
    private static final Logger LOG = LoggerFactory.getLogger(StoreBrokerCore.class);
    private static final int SPARE_SEGMENTS = 2;
    private static final long SEGMENT_ALIGNMENT = 4096;

    /** Several times what the broker puts into a batch, which larger messages fill in pieces. */
    private static final int BATCH_BYTES = 16 << 20;

    private static final long BACKGROUND_END_MAX_SECONDS = 30;

    private final DirectoryLock lock;
    private final ExecutorService background;
    private final Broker broker;
    private final FilterLoader filters;

    private StoreBrokerCore(
            DirectoryLock lock, ExecutorService background, Broker broker, FilterLoader filters) {
        this.lock = lock;
        this.background = background;
        this.broker = broker;
        this.filters = filters;
    }

    /**
     * Locks the data directory and recovers what is in it.
     *
     * @throws StoreException if it is in use, damaged or not readable; it is not locked then
     */
    static StoreBrokerCore open(ServerConfig config, Runnable wake) {
        DiskDirectory directory = DiskDirectory.open(config.storage().dataPath());
        DirectoryLock lock = directory.lock();
        ExecutorService background =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread thread = new Thread(task, "metaq-checkpoint");
                            thread.setDaemon(true);
                            return thread;
                        });
        boolean opened = false;
        try {
            placeJournal(config.storage(), directory);
            Broker broker =
                    Broker.open(
                            config.broker(),
                            journalOptions(config),
                            directory,
                            Clock.system(),
                            task -> background.execute(() -> runAndWake(task, wake)));
            broker.storeId(StoreId.of(directory));
            broker.scheduleRetention(new CronTimes(ZoneId.systemDefault()));
            broker.warnOfInDoubt(config.inDoubtAlarmAgeMs());
            opened = true;
            FilterLoader filters = new FilterLoader(config.appClassPath(), wake);
            broker.filters(filters);
            return new StoreBrokerCore(lock, background, broker, filters);
        } finally {
            if (!opened) {
                background.shutdownNow();
                lock.close();
            }
        }
    }

    /** A journal that is there stays where it is: it is part of the data. */
    private static void placeJournal(ServerConfig.Storage storage, DiskDirectory directory) {
        String place = DiskDirectory.open(storage.dataLogPath()).description();
        if (!place.equals(directory.description())) {
            directory.createDirectoryAt(FileJournal.DIRECTORY, place);
        }
        String found = directory.whereIs(FileJournal.DIRECTORY);
        if (!found.isEmpty() && !found.startsWith(place)) {
            LOG.warn(
                    "the journal stays in {}, though dataLogPath is {}; to move it, stop the broker,"
                            + " move that directory, and have {}/{} be a link to it, or it itself",
                    found,
                    place,
                    directory.description(),
                    FileJournal.DIRECTORY);
        }
    }

    private static void runAndWake(Runnable task, Runnable wake) {
        try {
            task.run();
        } finally {
            wake.run();
        }
    }

    private static JournalOptions journalOptions(ServerConfig config) {
        ServerConfig.Storage storage = config.storage();
        return new JournalOptions(
                Math.toIntExact(storage.journalSegmentSizeBytes() & -SEGMENT_ALIGNMENT),
                SPARE_SEGMENTS,
                storage.flushTxLogAtCommit(),
                storage.unflushThreshold(),
                storage.unflushIntervalMs(),
                BATCH_BYTES);
    }

    @Override
    public void listeningOn(String url, int port) {
        broker.listeningOn(url, port);
    }

    @Override
    public Broker broker() {
        return broker;
    }

    @Override
    public Session connect(ClientLink link) {
        BrokerConnection connection = broker.connect(link);
        return new Session() {
            @Override
            public void submit(Command command) {
                broker.submit(connection, command);
            }

            @Override
            public void beginSend(Command.Send head, int bodyLength) {
                broker.beginSend(connection, head, bodyLength);
            }

            @Override
            public void sendPart(ByteBuffer piece) {
                broker.sendPart(connection, piece);
            }

            @Override
            public void disconnect() {
                broker.disconnect(connection);
            }
        };
    }

    @Override
    public int doWork() {
        return broker.doWork();
    }

    @Override
    public long nextDeadlineNs() {
        return broker.nextDeadlineNs();
    }

    @Override
    public void close() {
        try {
            // Else there would be no last one, and the next start would read the journal.
            awaitBackground();
            broker.close();
        } finally {
            abandon();
        }
    }

    /** Waits for a checkpoint that is under way, not for ever. */
    private void awaitBackground() {
        try {
            background.submit(() -> {}).get(BACKGROUND_END_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.warn("a checkpoint takes long: the next start reads the journal behind the last");
        } catch (ExecutionException e) {
            throw new IllegalStateException("nothing was run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void abandon() {
        filters.close();
        background.shutdown();
        boolean ended = false;
        try {
            ended = background.awaitTermination(BACKGROUND_END_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (ended) {
            // else the checkpoint still writes: the lock stays until the process ends
            lock.close();
        }
    }
}
