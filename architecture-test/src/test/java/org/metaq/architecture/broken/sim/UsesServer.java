package org.metaq.architecture.broken.sim;

/** Points to the server, and knows Netty. */
public class UsesServer {
    org.metaq.architecture.broken.server.UsesJms aside;

    io.netty.buffer.ByteBuf buffer;
}
