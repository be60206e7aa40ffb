package org.metaq.server;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** How sockets are served: by Linux's epoll where its native part loads, else by Java's NIO. */
enum Transport {
    EPOLL,
    NIO;

    /** The best that this machine has. */
    static Transport best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    EventLoopGroup group(String threadName, int threads) {
        DefaultThreadFactory factory = new DefaultThreadFactory(threadName, true);
        return new MultiThreadIoEventLoopGroup(
                threads,
                factory,
                this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    Class<? extends ServerChannel> serverChannel() {
        return this == EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }
}
