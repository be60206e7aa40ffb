package org.metaq.server.filter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Filters;
import org.metaq.broker.filter.MessageFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads server-side filters from a folder of classes and jars, and runs them on threads of their
 * own. A class implements {@link MessageFilter}, or MetaQ's own interface if its jar lies in the
 * folder too. One that cannot be loaded, throws, or does not answer in time is given up until the
 * broker restarts, with an error in the log: a group must rather get too much than nothing.
 */
public final class FilterLoader implements Filters, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FilterLoader.class);

    private final Path folder;
    private final Runnable wake;
    private final ExecutorService threads =
            Executors.newCachedThreadPool(
                    task -> {
                        Thread thread = new Thread(task, "metaq-filter");
                        thread.setDaemon(true);
                        return thread;
                    });

    // Empty: cannot be loaded.
    private final Map<String, Optional<MessageFilter>> filters = new ConcurrentHashMap<>();
    private final Set<String> failed = ConcurrentHashMap.newKeySet();
    // guarded by this
    private @Nullable URLClassLoader loader;

    /**
     * A loader; looks at the folder when the first filter is wanted.
     *
     * @param folder of class files and jars; need not exist
     * @param wake has the writer thread do a duty cycle
     */
    public FilterLoader(Path folder, Runnable wake) {
        this.folder = folder;
        this.wake = wake;
    }

    @Override
    public @Nullable MessageFilter filter(String className) {
        // not the map alone: who hangs while it loads would hold up those who ask for it
        return failed.contains(className)
                ? null
                : filters.computeIfAbsent(className, this::load).orElse(null);
    }

    @Override
    public Executor executor() {
        return task ->
                threads.execute(
                        () -> {
                            try {
                                task.run();
                            } finally {
                                wake.run();
                            }
                        });
    }

    @Override
    public void failed(String className, Throwable cause) {
        if (failed.add(className)) {
            LOG.error(
                    "filter-failed class={} reason=\"{}\"; its groups get every message until the"
                            + " broker restarts",
                    className,
                    cause,
                    cause);
        }
    }

    private Optional<MessageFilter> load(String className) {
        try {
            Class<?> type = Class.forName(className, true, loader());
            Object filter = type.getDeclaredConstructor().newInstance();
            LOG.info("filter-loaded class={} folder={}", className, folder);
            return Optional.of(
                    filter instanceof MessageFilter ours ? ours : MetaqFilter.of(filter));
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            // whatever a user's class does while it is loaded
            if (failed.add(className)) {
                LOG.error(
                        "filter-not-loaded class={} folder={} reason=\"{}\"; its groups get every"
                                + " message",
                        className,
                        folder,
                        e,
                        e);
            }
            return Optional.empty();
        }
    }

    private synchronized URLClassLoader loader() {
        URLClassLoader made = loader;
        if (made == null) {
            made = new URLClassLoader(urls(), FilterLoader.class.getClassLoader());
            loader = made;
        }
        return made;
    }

    private URL[] urls() {
        List<URL> urls = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                urls.add(url(folder));
                files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                        .sorted(Comparator.naturalOrder())
                        .forEach(jar -> urls.add(url(jar)));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot list " + folder, e);
            }
        }
        return urls.toArray(new URL[0]);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("no URL for " + path, e);
        }
    }

    @Override
    public synchronized void close() {
        threads.shutdownNow();
        URLClassLoader made = loader;
        if (made != null) {
            try {
                made.close();
            } catch (IOException e) {
                LOG.warn("filter-folder-not-closed folder={}", folder, e);
            }
        }
    }
}
