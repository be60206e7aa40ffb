package org.metaq.broker;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.filter.MessageFilter;

/** Where server-side filters come from and run; the host of a broker gives it. */
public interface Filters {
    /** No filters. */
    Filters NONE =
            new Filters() {
                @Override
                public @Nullable MessageFilter filter(String className) {
                    return null;
                }

                @Override
                public Executor executor() {
                    return Runnable::run;
                }

                @Override
                public void failed(String className, Throwable cause) {
                    throw new IllegalStateException("there is no filter " + className, cause);
                }
            };

    /**
     * The filter of a class, or null if it cannot be loaded or was given up: its group then gets
     * every message. Runs what a user wrote, so on threads of {@link #executor} only.
     */
    @Nullable MessageFilter filter(String className);

    /** Runs filters, off the writer thread, and wakes the writer after each task. */
    Executor executor();

    /** A filter threw or did not answer in time; any thread. */
    void failed(String className, Throwable cause);
}
