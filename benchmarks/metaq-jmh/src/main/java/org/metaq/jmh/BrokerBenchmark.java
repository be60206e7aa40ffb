package org.metaq.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.metaq.broker.Broker;
import org.metaq.broker.BrokerConfig;
import org.metaq.broker.BrokerConnection;
import org.metaq.broker.ClientLink;
import org.metaq.broker.OutboundDelivery;
import org.metaq.common.Checksums;
import org.metaq.common.Clock;
import org.metaq.common.DestinationKind;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.Durability;
import org.metaq.protocol.Reply;
import org.metaq.protocol.Settlement;
import org.metaq.store.io.DiskDirectory;
import org.metaq.store.journal.JournalOptions;
import org.metaq.store.log.MessageBytes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a message cost the writer thread, from the send command over its acquire to its
 * acknowledgement, alone and in batches of 100? Time is per message of 1 KiB, without sockets, and
 * without forces: journal and partition log are written to files below {@code java.io.tmpdir}. A
 * temporary queue tells what is left without files.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class BrokerBenchmark {
    private static final int BATCH = 100;
    private static final int BODY_LENGTH = 1024;
    private static final int CONSUMER = 1;

    /** Where the messages are sent. */
    @Param({"false", "true"})
    public boolean isTemporary;

    private final ByteBuffer body = ByteBuffer.allocate(BODY_LENGTH);
    private final int checksum = Checksums.messageChecksum(body);
    private final Link link = new Link();

    private TemporaryFolder folder;
    private Broker broker;
    private BrokerConnection connection;
    private String queue;
    private long subscription;
    private int opaque;

    /** Starts a broker with a consumer; for each iteration, as its logs grow. */
    @Setup(Level.Iteration)
    public void start() throws IOException {
        folder = new TemporaryFolder();
        broker =
                Broker.open(
                        BrokerConfig.defaults(0),
                        JournalOptions.DEFAULT.withPolicies(0, Integer.MAX_VALUE, 3_600_000),
                        DiskDirectory.open(folder.path()),
                        Clock.system(),
                        Runnable::run);
        connection = broker.connect(link);
        ask(new Command.Open(CommandCodec.PROTOCOL_VERSION, "", "", "", ++opaque));
        String resolved =
                isTemporary
                        ? ask(
                                new Command.CreateTemporary(
                                        DestinationKind.TEMPORARY_QUEUE, ++opaque))
                        : ask(new Command.Resolve(DestinationKind.QUEUE, "orders", ++opaque));
        queue = resolved.substring(0, resolved.indexOf(' '));
        subscription =
                Long.parseLong(
                        ask(
                                new Command.Subscribe(
                                        CONSUMER, queue, "", false, false, false, "", ++opaque)));
    }

    /** Deletes it. */
    @TearDown(Level.Iteration)
    public void stop() throws IOException {
        broker.close();
        folder.close();
    }

    /** One message in each turn of the writer. */
    @Benchmark
    public long alone() {
        return pass(1);
    }

    /** 100 messages in each turn. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long batch() {
        return pass(BATCH);
    }

    private long pass(int count) {
        for (int i = 0; i < count; i++) {
            broker.submit(
                    connection,
                    new Command.Send(
                            queue, -1, 0, checksum, 0, 0, Durability.POLICY, null, body, ++opaque));
        }
        broker.doWork();
        broker.submit(connection, new Command.Acquire(CONSUMER, count, 1 << 20, 0, ++opaque));
        broker.doWork();
        List<OutboundDelivery> taken = link.deliveries;
        if (taken.size() != count) {
            throw new IllegalStateException(taken.size() + " messages came, not " + count);
        }
        long last = taken.get(count - 1).sequence();
        taken.forEach(each -> each.message().release());
        broker.submit(connection, new Command.Acknowledge(upTo(last, count), Command.QUIET));
        broker.doWork();
        return last;
    }

    private Settlement upTo(long last, int count) {
        SequenceRange range = new SequenceRange(last - count + 1, last);
        return new Settlement(List.of(new Settlement.Entry(subscription, 0, List.of(range))));
    }

    private String ask(Command command) {
        broker.submit(connection, command);
        broker.doWork();
        return link.text;
    }

    /** Keeps the last reply. */
    private static final class Link implements ClientLink {
        private String text = "";
        private List<OutboundDelivery> deliveries = List.of();

        @Override
        public void result(int opaque, int status, String newText) {
            if (status != Reply.OK) {
                throw new IllegalStateException(status + " " + newText);
            }
            text = newText;
        }

        @Override
        public void deliveries(int opaque, List<OutboundDelivery> batch) {
            deliveries = batch;
        }

        @Override
        public void value(int opaque, ByteBuffer value) {
            throw unexpected();
        }

        @Override
        public void browsed(int opaque, long position, List<OutboundDelivery> messages) {
            throw unexpected();
        }

        @Override
        public void data(int opaque, MessageBytes bytes) {
            throw unexpected();
        }

        @Override
        public void close(String reason) {
            throw new IllegalStateException("closed: " + reason);
        }

        @Override
        public String remoteAddress() {
            return "benchmark";
        }

        private static IllegalStateException unexpected() {
            return new IllegalStateException("nothing asked for this");
        }
    }
}
