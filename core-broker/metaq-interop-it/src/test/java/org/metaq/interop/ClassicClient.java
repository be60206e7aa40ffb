package org.metaq.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.MessageSessionFactory;
import com.taobao.metamorphosis.client.MetaClientConfig;
import com.taobao.metamorphosis.client.Shutdownable;
import com.taobao.metamorphosis.client.XAMetaMessageSessionFactory;
import com.taobao.metamorphosis.client.consumer.ConsumerConfig;
import com.taobao.metamorphosis.client.consumer.MessageConsumer;
import com.taobao.metamorphosis.client.producer.MessageProducer;
import com.taobao.metamorphosis.client.producer.SendResult;
import com.taobao.metamorphosis.exception.MetaClientException;
import com.taobao.metamorphosis.utils.ZkUtils.ZKConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * MetaQ's client, with times that suit a test. Closes what it made, the last first. Not
 * thread-safe.
 */
final class ClassicClient implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(30);
    static final int FETCH_BYTES = 1024 * 1024;

    static {
        // where the client makes directories, but not their parents
        try {
            Files.createDirectories(Path.of(System.getProperty("user.home")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final String zkConnect;
    private final String zkRoot;
    private final Deque<Shutdownable> opened = new ArrayDeque<>();
    private XAMetaMessageSessionFactory factory;

    ClassicClient(String zkConnect) {
        this(zkConnect, "/meta");
    }

    ClassicClient(String zkConnect, String zkRoot) {
        this.zkConnect = zkConnect;
        this.zkRoot = zkRoot;
    }

    MetaClientConfig config() {
        MetaClientConfig config = new MetaClientConfig();
        ZKConfig zookeeper = new ZKConfig();
        zookeeper.zkConnect = zkConnect;
        zookeeper.zkRoot = zkRoot;
        zookeeper.zkSessionTimeoutMs = 6000;
        zookeeper.zkSyncTimeMs = 500;
        config.setZkConfig(zookeeper);
        return config;
    }

    XAMetaMessageSessionFactory factory() throws MetaClientException {
        if (factory == null) {
            factory = opened(new XAMetaMessageSessionFactory(config()));
        }
        return factory;
    }

    <T extends Shutdownable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    MessageProducer producer(String topic) throws MetaClientException {
        MessageProducer producer = opened(factory().createProducer());
        producer.publish(topic);
        return producer;
    }

    static ConsumerConfig consumerConfig(String group) {
        ConsumerConfig config = new ConsumerConfig(group);
        config.setMaxDelayFetchTimeInMills(100);
        config.setCommitOffsetPeriodInMills(500);
        return config;
    }

    MessageConsumer consumer(String topic, String group, Inbox inbox) throws MetaClientException {
        return consumer(factory(), topic, consumerConfig(group), inbox);
    }

    MessageConsumer consumer(
            MessageSessionFactory from, String topic, ConsumerConfig config, Inbox inbox)
            throws MetaClientException {
        return subscribe(from.createConsumer(config), topic, inbox);
    }

    MessageConsumer subscribe(MessageConsumer consumer, String topic, Inbox inbox)
            throws MetaClientException {
        opened(consumer).subscribe(topic, FETCH_BYTES, inbox).completeSubscribe();
        return consumer;
    }

    static Message message(String topic, String text) {
        return new Message(topic, text.getBytes(UTF_8));
    }

    /** Sends, and fails if it is not stored. */
    static SendResult send(MessageProducer producer, Message message)
            throws MetaClientException, InterruptedException {
        SendResult result = producer.sendMessage(message);
        if (!result.isSuccess()) {
            throw new AssertionError("not sent: " + result.getErrorMessage());
        }
        return result;
    }

    static SendResult send(MessageProducer producer, String topic, String text)
            throws MetaClientException, InterruptedException {
        return send(producer, message(topic, text));
    }

    /** Ends one that this made before its time. */
    void close(Shutdownable resource) throws MetaClientException {
        opened.remove(resource);
        resource.shutdown();
    }

    @Override
    public void close() throws MetaClientException {
        while (!opened.isEmpty()) {
            opened.pop().shutdown();
        }
    }
}
