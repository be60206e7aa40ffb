package org.metaq.server.operations;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.metaq.server.config.ConfigException;
import org.metaq.server.config.ConfigFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bean of a broker: each operation runs on the writer thread and is waited for. Thread-safe.
 */
final class BrokerControl implements BrokerMXBean {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerControl.class);

    private final int brokerId;
    private final int port;
    private final WriterCalls calls;
    private final Reloader reloader;
    private final Runnable stop;

    /**
     * A bean.
     *
     * @param stop begins to stop the broker, and returns at once
     */
    BrokerControl(int brokerId, int port, WriterCalls calls, Reloader reloader, Runnable stop) {
        this.brokerId = brokerId;
        this.port = port;
        this.calls = calls;
        this.reloader = reloader;
        this.stop = stop;
    }

    @Override
    public String getVersion() {
        String version = BrokerControl.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    @Override
    public int getBrokerId() {
        return brokerId;
    }

    @Override
    public int getPort() {
        return port;
    }

    @Override
    public int getConnectionCount() {
        return calls.get(broker -> broker.admin().connectionCount());
    }

    @Override
    public int getConsumerCount() {
        return calls.get(broker -> broker.admin().consumerCount());
    }

    @Override
    public int getTemporaryDestinationCount() {
        return calls.get(broker -> broker.admin().temporaryDestinationCount());
    }

    @Override
    public int getVolatileSubscriptionCount() {
        return calls.get(broker -> broker.admin().volatileSubscriptionCount());
    }

    @Override
    public String getConfigFile() {
        ConfigFile file = reloader.current();
        return file == null ? "" : file.path().toAbsolutePath().toString();
    }

    @Override
    public long getConfigChecksum() {
        ConfigFile file = reloader.current();
        return file == null ? 0 : file.checksum();
    }

    @Override
    public List<TopicView> getTopics() {
        return calls.get(broker -> broker.admin().topics()).stream().map(TopicView::new).toList();
    }

    @Override
    public List<SubscriptionView> getSubscriptions() {
        return calls.get(broker -> broker.admin().subscriptions()).stream()
                .map(SubscriptionView::new)
                .toList();
    }

    @Override
    public long getDeadLetterCount() {
        return calls.get(broker -> broker.admin().deadLetterCount());
    }

    @Override
    public long getExpiredCount() {
        return calls.get(broker -> broker.admin().expiredCount());
    }

    @Override
    public String resetSubscription(String topic, String clientId, String name, String position) {
        return calls.done(
                broker -> broker.admin().resetSubscription(topic, clientId, name, position));
    }

    @Override
    public String reload() {
        try {
            return reloader.reload().get(WriterCalls.WAIT_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            String text = Reloader.reason(e);
            LOG.debug("not reloaded", e);
            // without its cause, whose class a JMX client need not have
            throw e.getCause() instanceof ConfigException
                    ? new IllegalArgumentException(text)
                    : new IllegalStateException(text);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the file was not read and applied in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted; whether it was done is not known", e);
        }
    }

    @Override
    public String closePartitions(String topic, int first, int last) {
        return calls.done(broker -> broker.admin().closePartitions(topic, first, last));
    }

    @Override
    public String openPartitions(String topic, int first, int last) {
        return calls.done(broker -> broker.admin().openPartitions(topic, first, last));
    }

    @Override
    public String openPartitions(String topic) {
        return calls.done(broker -> broker.admin().openPartitions(topic));
    }

    @Override
    public String checkpoint() {
        return calls.done(broker -> broker.admin().checkpoint());
    }

    @Override
    public void stop() {
        stop.run();
    }
}
