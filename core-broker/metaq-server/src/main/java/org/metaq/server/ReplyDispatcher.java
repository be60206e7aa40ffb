package org.metaq.server;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the replies of a duty cycle and hands them to the event loops: each loop is woken once
 * and each connection flushed once. Confined to the writer thread.
 */
final class ReplyDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyDispatcher.class);

    private final List<NettyLink> dirty = new ArrayList<>();

    private record LinkReplies(NettyLink link, List<Outbound> replies) {}

    /** A link got its first reply of this cycle. */
    void markDirty(NettyLink link) {
        dirty.add(link);
    }

    /** Sends what was collected. */
    void dispatch() {
        if (dirty.isEmpty()) {
            return;
        }
        IdentityHashMap<EventLoop, List<LinkReplies>> byLoop = new IdentityHashMap<>();
        for (NettyLink link : dirty) {
            byLoop.computeIfAbsent(link.eventLoop(), loop -> new ArrayList<>())
                    .add(new LinkReplies(link, link.takePending()));
        }
        dirty.clear();
        byLoop.forEach(ReplyDispatcher::execute);
    }

    /** Drops what was collected: the broker failed, and its word is in doubt. */
    void discard() {
        dirty.forEach(NettyLink::takePending);
        dirty.clear();
    }

    private static void execute(EventLoop loop, List<LinkReplies> batch) {
        try {
            loop.execute(
                    () -> {
                        for (LinkReplies each : batch) {
                            each.link().send(each.replies());
                        }
                    });
        } catch (RejectedExecutionException e) {
            // the loop has ended, and with it every connection that it served
            LOG.debug("replies dropped: event loop ended", e);
        }
    }
}
