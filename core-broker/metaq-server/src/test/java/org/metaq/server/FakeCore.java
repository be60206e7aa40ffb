package org.metaq.server;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.ClientLink;
import org.metaq.broker.OutboundDelivery;
import org.metaq.protocol.Command;
import org.metaq.store.log.MessageBytes;

/**
 * A broker without a store: answers {@code version}, {@code put} and {@code send} with 200, {@code
 * get} with {@code maxSize} bytes, {@code acquire} with {@code maxMessages} messages of {@code
 * maxBytes} each, fails on {@code stats fail}, closes on {@code quit}.
 */
final class FakeCore implements BrokerCore {
    final AtomicInteger connected = new AtomicInteger();
    final AtomicInteger disconnected = new AtomicInteger();
    final AtomicInteger submitted = new AtomicInteger();
    final AtomicInteger cycles = new AtomicInteger();
    final List<String> ends = new CopyOnWriteArrayList<>();
    volatile @Nullable FileChannel file;

    @Override
    public Session connect(ClientLink link) {
        connected.incrementAndGet();
        return new Session() {
            private Command.@Nullable Send begun;
            private int leftBytes;

            @Override
            public void submit(Command command) {
                submitted.incrementAndGet();
                answer(link, command);
            }

            @Override
            public void beginSend(Command.Send head, int bodyLength) {
                begun = head;
                leftBytes = bodyLength;
            }

            @Override
            public void sendPart(ByteBuffer piece) {
                leftBytes -= piece.remaining();
                if (leftBytes == 0) {
                    submit(begun);
                }
            }

            @Override
            public void disconnect() {
                disconnected.incrementAndGet();
            }
        };
    }

    private void answer(ClientLink link, Command command) {
        if (command instanceof Command.Get get) {
            link.data(get.opaque(), bytes(get.maxSize()));
        } else if (command instanceof Command.Acquire acquire) {
            List<OutboundDelivery> deliveries = new ArrayList<>();
            for (int i = 0; i < acquire.maxMessages(); i++) {
                deliveries.add(new OutboundDelivery(1, i, 2, true, bytes(acquire.maxBytes())));
            }
            link.deliveries(acquire.opaque(), deliveries);
        } else if (command instanceof Command.Stats stats && stats.item().equals("fail")) {
            throw new IllegalStateException("told to fail");
        } else if (command instanceof Command.Quit) {
            link.close("quit");
        } else {
            link.result(command.opaque(), 200, "ok");
        }
    }

    /** The byte at index i is i, cut to a byte. */
    MessageBytes bytes(int length) {
        return new MessageBytes() {
            @Override
            public int length() {
                return length;
            }

            @Override
            public void copyTo(ByteBuffer to) {
                for (int i = 0; i < length; i++) {
                    to.put((byte) i);
                }
            }

            @Override
            public void copyTo(int from, ByteBuffer to) {
                for (int i = from; i < length && to.hasRemaining(); i++) {
                    to.put((byte) i);
                }
            }

            @Override
            public @Nullable FileChannel channel() {
                return file;
            }

            @Override
            public long channelPosition() {
                return 0;
            }
        };
    }

    @Override
    public int doWork() {
        cycles.incrementAndGet();
        return 0;
    }

    @Override
    public long nextDeadlineNs() {
        return System.nanoTime() + 3_600_000_000_000L;
    }

    @Override
    public void close() {
        ends.add("close");
    }

    @Override
    public void abandon() {
        ends.add("abandon");
    }
}
