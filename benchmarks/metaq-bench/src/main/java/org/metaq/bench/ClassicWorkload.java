package org.metaq.bench;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.MetaMessageSessionFactory;
import com.taobao.metamorphosis.client.consumer.ConsumerConfig;
import com.taobao.metamorphosis.client.consumer.MessageConsumer;
import com.taobao.metamorphosis.client.producer.MessageProducer;
import com.taobao.metamorphosis.client.producer.SendMessageCallback;
import com.taobao.metamorphosis.client.producer.SendResult;
import com.taobao.metamorphosis.cluster.Partition;
import com.taobao.metamorphosis.consumer.MessageIterator;
import com.taobao.metamorphosis.exception.MetaClientException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Messages of 1 KiB sent by the original client, and then pulled: nothing may be missing. Latency
 * is that of the send, to its answer, and of a pull.
 *
 * @param kind which of the workloads
 * @param topic that nobody else has sent to
 */
record ClassicWorkload(ClassicNames kind, String topic) {
    private static final int UNCONFIRMED_MAX_COUNT = 1000;
    private static final int PULL_LENGTH_BYTES = 1024 * 1024;
    private static final long READY_TIMEOUT_NS = 60_000_000_000L;
    private static final long POLL_NS = 100_000_000;
    private static final long SEND_TIMEOUT_MS = 30_000;

    /** Of the messages: what is pulled before the measured time. */
    private static final double WARM_SHARE = 0.3;

    /** The one that is measured. */
    ClassicWorkload(ClassicNames kind) {
        this(kind, kind.topic());
    }

    /**
     * Runs it.
     *
     * @return one measurement for each row
     */
    List<Measurement> run(MetaMessageSessionFactory factory, long brokerPid, Context.Times times)
            throws BenchException, InterruptedException, IOException, MetaClientException {
        Latency latency = new Latency();
        Crew crew = new Crew();
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < kind.producers(); i++) {
            int index = i;
            MessageProducer producer = factory.createProducer();
            producer.publish(topic);
            members.add(
                    crew.add("producer-" + i, self -> send(self, producer, index, crew, latency)));
        }
        awaitPartitions(factory);
        crew.start();
        Map<Metric, Double> sends =
                crew.measure(
                        brokerPid,
                        times,
                        () -> members.stream().mapToLong(Member::count).sum(),
                        latency);
        crew.stop();
        crew.awaitEnd();
        int[] sent = members.stream().mapToInt(member -> (int) member.count()).toArray();
        Ledger ledger = new Ledger(kind.producers());
        Map<Metric, Double> pulls = drain(factory, brokerPid, sent, ledger);
        Map<Metric, Double> balance = Ledger.balance(sent, List.of(ledger)).values();
        sends.putAll(balance);
        pulls.putAll(balance);
        List<String> rows = kind.rows();
        List<Measurement> measurements = new ArrayList<>();
        measurements.add(new Measurement(rows.get(0), sends));
        if (rows.size() > 1) {
            measurements.add(new Measurement(rows.get(1), pulls));
        }
        return measurements;
    }

    /** The client learns them from ZooKeeper some time after it has asked. */
    private void awaitPartitions(MetaMessageSessionFactory factory) throws BenchException {
        long deadline = System.nanoTime() + READY_TIMEOUT_NS;
        while (factory.getPartitionsForTopic(topic).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new BenchException("nobody registers topic " + topic);
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private void send(Member self, MessageProducer producer, int index, Crew crew, Latency latency)
            throws MetaClientException, InterruptedException, BenchException {
        if (kind.isAsync()) {
            sendAhead(self, producer, index, crew, latency);
        } else {
            for (int number = 0; crew.isWorking(); number++) {
                Message message = message(index, number);
                long startNs = System.nanoTime();
                SendResult result = producer.sendMessage(message);
                latency.note(System.nanoTime() - startNs);
                if (!result.isSuccess()) {
                    throw new BenchException("a send was refused: " + result.getErrorMessage());
                }
                self.add(1);
            }
        }
        producer.shutdown();
    }

    private void sendAhead(
            Member self, MessageProducer producer, int index, Crew crew, Latency latency)
            throws InterruptedException, BenchException {
        Semaphore permits = new Semaphore(UNCONFIRMED_MAX_COUNT);
        AtomicReference<@Nullable String> refused = new AtomicReference<>();
        for (int number = 0; crew.isWorking() && refused.get() == null; number++) {
            permits.acquire();
            producer.sendMessage(
                    message(index, number),
                    new Confirmation(permits, refused, latency, System.nanoTime()),
                    SEND_TIMEOUT_MS,
                    TimeUnit.MILLISECONDS);
            self.add(1);
        }
        permits.acquire(UNCONFIRMED_MAX_COUNT);
        String first = refused.get();
        if (first != null) {
            throw new BenchException("a send was refused: " + first);
        }
    }

    private Message message(int index, int number) {
        byte[] body = new byte[Payload.LENGTH_BYTES];
        ByteBuffer.wrap(body).putInt(index).putInt(number);
        return new Message(topic, body);
    }

    /** Pulls each partition to its end; measured after the first part. */
    private Map<Metric, Double> drain(
            MetaMessageSessionFactory factory, long brokerPid, int[] sent, Ledger ledger)
            throws MetaClientException, InterruptedException, IOException {
        MessageConsumer consumer = factory.createConsumer(new ConsumerConfig("bench"));
        Latency latency = new Latency();
        long warm = (long) (java.util.Arrays.stream(sent).asLongStream().sum() * WARM_SHARE);
        long pulled = 0;
        Window window = new Window(brokerPid);
        boolean isWarm = false;
        for (Partition partition : factory.getPartitionsForTopic(topic)) {
            long offset = 0;
            while (true) {
                long startNs = System.nanoTime();
                MessageIterator messages =
                        consumer.get(topic, partition, offset, PULL_LENGTH_BYTES);
                latency.note(System.nanoTime() - startNs);
                if (messages == null) {
                    break;
                }
                pulled += note(messages, ledger);
                offset += messages.getOffset();
                if (!isWarm && pulled >= warm) {
                    isWarm = true;
                    pulled = 0;
                    latency.restart();
                    window = new Window(brokerPid);
                }
            }
        }
        Map<Metric, Double> values = window.close(pulled, latency.take());
        consumer.shutdown();
        return values;
    }

    private static int note(MessageIterator messages, Ledger ledger) throws MetaClientException {
        int count = 0;
        while (messages.hasNext()) {
            ByteBuffer body = ByteBuffer.wrap(messages.next().getData());
            ledger.received(body.getInt(), body.getInt());
            count++;
        }
        return count;
    }

    /** Of one message. */
    private record Confirmation(
            Semaphore permits,
            AtomicReference<@Nullable String> refused,
            Latency latency,
            long startNs)
            implements SendMessageCallback {
        @Override
        public void onMessageSent(SendResult result) {
            latency.note(System.nanoTime() - startNs);
            if (!result.isSuccess()) {
                refused.compareAndSet(null, String.valueOf(result.getErrorMessage()));
            }
            permits.release();
        }

        @Override
        public void onException(Throwable failure) {
            refused.compareAndSet(null, failure.toString());
            permits.release();
        }
    }
}
