package org.metaq.ra.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.resource.ResourceException;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionFactory;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.metaq.ra.MetaQResourceAdapter;

/** What stays of applications that are gone, and of an adapter that has stopped. */
class NothingLeftIT extends OutboundTestBase {
    private static final InheritableThreadLocal<Object> INVOCATION = new InheritableThreadLocal<>();

    private ManagedConnection opened;

    @Test
    void shouldNotKeepTheApplicationForWhichAConnectionWasOpened() throws Exception {
        WeakReference<ClassLoader> application = new WeakReference<>(openForAnApplication());
        await().atMost(PATIENCE)
                .until(
                        () -> {
                            System.gc();
                            return application.get() == null;
                        });
        assertThat(factory.connectionCount()).isOne();
        opened.destroy();
    }

    /** As a server does: on a thread that is the application's for a while. */
    private ClassLoader openForAnApplication() throws Exception {
        ApplicationLoader loader = new ApplicationLoader();
        Callable<ManagedConnection> opening = loader.opening(factory);
        FutureTask<ManagedConnection> task =
                new FutureTask<>(
                        () -> {
                            Thread.currentThread().setContextClassLoader(loader);
                            INVOCATION.set(opening);
                            return opening.call();
                        });
        Thread thread = new Thread(task, "application");
        thread.start();
        opened = task.get();
        thread.join();
        return loader;
    }

    @Test
    void shouldCloseAllConnectionsWhenTheAdapterStops() throws Exception {
        MetaQResourceAdapter adapter = started(newAdapter());
        MetaQManagedConnectionFactory recovered = new MetaQManagedConnectionFactory();
        recovered.setResourceAdapter(adapter);
        ManagedConnection forgotten = recovered.createManagedConnection(null, null);
        adapter.stop();
        await().atMost(PATIENCE)
                .until(() -> !recovered.getInvalidConnections(Set.of(forgotten)).isEmpty());
        assertThatThrownBy(() -> recovered.createManagedConnection(null, null))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("the resource adapter has stopped");
    }

    @Test
    void shouldConnectAgainWhenTheAdapterIsStartedAgain() throws Exception {
        MetaQResourceAdapter adapter = started(newAdapter());
        adapter.stop();
        MetaQManagedConnectionFactory recovered = new MetaQManagedConnectionFactory();
        recovered.setResourceAdapter(started(adapter));
        recovered.createManagedConnection(null, null).destroy();
        adapter.stop();
    }

    /** Defines the application's class itself. */
    private static final class ApplicationLoader extends ClassLoader {
        ApplicationLoader() {
            super(NothingLeftIT.class.getClassLoader());
        }

        @SuppressWarnings("unchecked")
        Callable<ManagedConnection> opening(ManagedConnectionFactory factory) throws Exception {
            Class<?> original = OpensConnection.class;
            try (InputStream in = original.getResourceAsStream("OpensConnection.class")) {
                byte[] code = in.readAllBytes();
                return (Callable<ManagedConnection>)
                        defineClass(original.getName(), code, 0, code.length)
                                .getConstructor(ManagedConnectionFactory.class)
                                .newInstance(factory);
            }
        }
    }
}
