package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.broker.BrokerAdmin;
import org.metaq.broker.ClientLink;
import org.metaq.common.DestinationKind;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

@Timeout(60)
class StoreBrokerCoreTest {
    @TempDir Path temp;

    private ServerConfig config() {
        return ServerConfig.builder()
                .set(ConfigKey.BROKER_ID, "1")
                .dataPath(temp.resolve("data"))
                .build();
    }

    /** The last entry that the newest checkpoint holds: its name. */
    private long newestCheckpoint() throws IOException {
        try (Stream<Path> all = Files.list(temp.resolve("data/checkpoints"))) {
            return all.mapToLong(path -> Long.parseLong(path.getFileName().toString()))
                    .max()
                    .orElseThrow();
        }
    }

    @Test
    void shouldWaitForTheCheckpointUnderWayAndTakeALastOneWhenItStops() throws Exception {
        CountDownLatch isHeld = new CountDownLatch(1);
        // Called on the background thread when the first checkpoint is there: the second waits.
        StoreBrokerCore core = StoreBrokerCore.open(config(), () -> pass(isHeld));
        BrokerAdmin admin = core.broker().admin();
        CompletableFuture<String> first = admin.checkpoint();
        await().until(
                        () -> {
                            core.doWork();
                            return first.isDone();
                        });
        CompletableFuture<String> second = admin.checkpoint();
        core.doWork();
        // what the second does not hold any more
        BrokerCore.Session session = core.connect(deafLink());
        session.submit(new Command.Open(CommandCodec.PROTOCOL_VERSION, "", "", "", 1));
        session.submit(new Command.Resolve(DestinationKind.QUEUE, "q", 2));
        core.doWork();

        Thread stop = new Thread(core::close, "stop");
        stop.start();
        await().until(() -> stop.getState() == Thread.State.TIMED_WAITING);
        assertThat(second).isNotDone();
        isHeld.countDown();
        stop.join();

        assertThat(second).isDone();
        long entry = Long.parseLong(second.join().replaceAll("\\D+(\\d+).*", "$1"));
        assertThat(newestCheckpoint()).isGreaterThan(entry);
    }

    /** Of a client that does not listen. */
    private static ClientLink deafLink() {
        return (ClientLink)
                Proxy.newProxyInstance(
                        ClientLink.class.getClassLoader(),
                        new Class<?>[] {ClientLink.class},
                        (proxy, method, arguments) ->
                                method.getReturnType() == boolean.class ? Boolean.FALSE : null);
    }

    private static void pass(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
