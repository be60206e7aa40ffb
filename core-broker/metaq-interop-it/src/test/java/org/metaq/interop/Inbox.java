package org.metaq.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.consumer.MessageListener;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.awaitility.Awaitility;

/** A listener of MetaQ's client that keeps what it gets. Thread-safe. */
final class Inbox implements MessageListener {
    private final Queue<Message> messages = new ConcurrentLinkedQueue<>();

    @Override
    public void recieveMessages(Message message) {
        messages.add(message);
    }

    @Override
    public Executor getExecutor() {
        return null;
    }

    List<Message> messages() {
        return List.copyOf(messages);
    }

    /** Payloads as text, in the order in which they came. */
    List<String> texts() {
        return messages.stream().map(message -> new String(message.getData(), UTF_8)).toList();
    }

    /** Waits until so many came, or fails. */
    List<String> awaitTexts(int count) {
        Awaitility.await("messages, of " + count)
                .atMost(ClassicClient.TIMEOUT)
                .until(messages::size, size -> size >= count);
        return texts();
    }
}
