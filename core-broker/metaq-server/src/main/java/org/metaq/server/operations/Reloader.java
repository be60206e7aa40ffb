package org.metaq.server.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.AdminHandler;
import org.metaq.broker.TopicCatalog;
import org.metaq.server.config.ConfigChange;
import org.metaq.server.config.ConfigException;
import org.metaq.server.config.ConfigFile;
import org.metaq.server.config.ServerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@code server.ini} again for a running broker, one request after the other, on a thread of
 * its own; the new topic sections are handed to the writer thread. Thread-safe.
 */
final class Reloader implements AdminHandler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reloader.class);

    private final ServerConfig started;
    private final WriterCalls calls;
    private final ExecutorService thread;

    // written by the reloader's thread, read by any
    private volatile @Nullable ConfigFile current;
    private final List<Consumer<ConfigFile>> listeners = new CopyOnWriteArrayList<>();
    private final List<Supplier<List<String>>> readers = new CopyOnWriteArrayList<>();

    Reloader(ServerConfig started, WriterCalls calls) {
        this.started = started;
        this.calls = calls;
        this.current = started.file();
        this.thread =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread made = new Thread(task, "metaq-reload");
                            made.setDaemon(true);
                            return made;
                        });
    }

    /** The file whose topic sections hold now; null if the broker was started without one. */
    @Nullable ConfigFile current() {
        return current;
    }

    /** Reads something besides the file, whenever that was found valid; see {@link Operations}. */
    void alsoReads(Supplier<List<String>> reader) {
        readers.add(reader);
    }

    /** Hears of every file that took effect, on the reloader's thread. */
    void onReload(Consumer<ConfigFile> listener) {
        listeners.add(listener);
    }

    /**
     * Reads the file again.
     *
     * @return what changed, a line per fact; fails with a {@link ConfigException} if the file is
     *     not valid or there is none, nothing is changed then, and with an {@link
     *     IllegalStateException} if the broker stops
     */
    CompletableFuture<String> reload() {
        try {
            return CompletableFuture.supplyAsync(this::readAndApply, thread);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new IllegalStateException("the broker stops", e));
        }
    }

    @Override
    public void reload(Reply reply) {
        var unused =
                reload().whenComplete(
                                (text, failure) ->
                                        calls.execute(
                                                () -> {
                                                    if (failure == null) {
                                                        reply.ok(text);
                                                    } else {
                                                        reply.refused(reason(failure));
                                                    }
                                                }));
    }

    /** What a caller is told of a failure. */
    static String reason(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean isWrapped =
                failure instanceof CompletionException || failure instanceof ExecutionException;
        return String.valueOf((isWrapped && cause != null ? cause : failure).getMessage());
    }

    private String readAndApply() {
        ConfigFile first = started.file();
        ConfigFile before = current;
        if (first == null || before == null) {
            throw new ConfigException(
                    "the broker was started without a configuration file (--config)");
        }
        ConfigFile next = ConfigFile.read(first.path());
        // what each key says may be valid, and not all of them together
        var unused = ServerConfig.builder().file(next).build();
        boolean autoCreate = started.broker().autoCreate();
        ConfigChange change = ConfigChange.of(first, before, next, autoCreate);
        List<String> lines = new ArrayList<>(change.lines());
        readers.forEach(reader -> lines.addAll(reader.get()));
        if (next.checksum() != before.checksum()) {
            TopicCatalog catalog = next.catalog(started.broker().topics().defaults());
            lines.addAll(
                    calls.get(
                            broker -> {
                                broker.configText(next.text(), next.checksum());
                                return broker.reconfigure(catalog);
                            }));
            current = next;
            listeners.forEach(listener -> listener.accept(next));
        }
        if (change.topics().isEmpty()) {
            lines.add(
                    0,
                    next.checksum() == before.checksum()
                            ? "unchanged: " + first.path()
                            : "no topic section changed");
        }
        lines.forEach(line -> LOG.info("config-reloaded file={} {}", first.path(), line));
        return String.join("\n", lines);
    }

    /** Takes no more requests. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
