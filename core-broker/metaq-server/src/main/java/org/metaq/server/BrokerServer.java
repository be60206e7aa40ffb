package org.metaq.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.Broker;
import org.metaq.common.Clock;
import org.metaq.server.config.ConfigException;
import org.metaq.server.config.ConfigFile;
import org.metaq.server.config.ServerConfig;
import org.metaq.server.discovery.RegistrySettings;
import org.metaq.server.operations.Operations;
import org.metaq.server.security.UserAuthenticator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A whole broker in this JVM: store, writer thread and sockets. Thread-safe. */
public final class BrokerServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerServer.class);

    private static final int BACKLOG = 1024;
    private static final WriteBufferWaterMark WRITE_BUFFER =
            new WriteBufferWaterMark(128 * 1024, 512 * 1024);
    private static final long LOOP_END_MAX_SECONDS = 5;

    private final BrokerAgent agent;
    private final EventLoopGroup acceptor;
    private final EventLoopGroup loops;
    private final ChannelGroup connections;
    private final Channel listener;
    private final int port;
    private final @Nullable Operations operations;
    private final Registration registration;
    private final @Nullable UserAuthenticator users;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean isClosed;

    private BrokerServer(
            BrokerAgent agent,
            EventLoopGroup acceptor,
            EventLoopGroup loops,
            ChannelGroup connections,
            Channel listener,
            ServerConfig config,
            BrokerCore core) {
        this.agent = agent;
        this.acceptor = acceptor;
        this.loops = loops;
        this.connections = connections;
        this.listener = listener;
        this.port = ((InetSocketAddress) listener.localAddress()).getPort();
        Broker broker = core.broker();
        String url = RegistrySettings.url(config.network().advertisedHost(), port);
        core.listeningOn(url, port);
        this.users = openUsers(config, broker, agent);
        this.registration = Registration.start(config, url, broker, failure::complete);
        this.operations =
                broker == null
                        ? null
                        : Operations.open(
                                config,
                                port,
                                broker,
                                work -> agent.offer(new InboundEvent.Task(work)),
                                this::closeLater);
    }

    private static @Nullable UserAuthenticator openUsers(
            ServerConfig config, @Nullable Broker broker, BrokerAgent agent) {
        Path file = config.security().users();
        if (file == null || broker == null) {
            return null;
        }
        UserAuthenticator opened =
                UserAuthenticator.open(
                        file,
                        config.security().allowAnonymous(),
                        work -> agent.offer(new InboundEvent.Task(work)));
        broker.authenticator(opened);
        return opened;
    }

    /** Makes the broker core; tests give their own. */
    interface CoreFactory {
        /**
         * Opens it.
         *
         * @param wake has the writer thread do a duty cycle; any thread, any time
         */
        BrokerCore open(Runnable wake);
    }

    /**
     * Opens the store, recovers, and listens.
     *
     * @throws org.metaq.store.StoreException if the data directory is in use, damaged or not
     *     readable
     * @throws ConfigException if the address cannot be listened on, or ZooKeeper's is not valid
     */
    public static BrokerServer start(ServerConfig config) {
        return start(config, wake -> StoreBrokerCore.open(config, wake));
    }

    static BrokerServer start(ServerConfig config, CoreFactory coreFactory) {
        ServerConfig.Network network = config.network();
        WakeLater wake = new WakeLater();
        BrokerCore core = coreFactory.open(wake);
        // half for commands that wait for the writer, half for bodies that are arriving
        long budgetBytes = Math.max(1, network.maxInflightBytes() / 2);
        InboundBudget budget = new InboundBudget(budgetBytes);
        ReplyDispatcher dispatcher = new ReplyDispatcher();
        Transport transport = Transport.best();
        EventLoopGroup acceptor = transport.group("metaq-acceptor", 1);
        boolean isOnLoop = network.eventLoops() == 0;
        EventLoopGroup loops =
                isOnLoop
                        ? transport.group("metaq-writer", 1)
                        : transport.group("metaq-io", network.eventLoops());
        BrokerAgent agent =
                isOnLoop
                        ? new WriterOnEventLoop(
                                core, budget, dispatcher, Clock.system(), loops.next())
                        : new WriterThread(
                                core,
                                budget,
                                dispatcher,
                                Clock.system(),
                                network.writerSpinMicros());
        ServerContext context =
                new ServerContext(
                        config.broker().maxMessageSizeBytes(),
                        network.clientIdleTimeoutMs(),
                        budget,
                        new BodyMemory(budgetBytes),
                        dispatcher,
                        new RateLimitedLog(),
                        agent::offer);
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(acceptor, loops)
                        .channel(transport.serverChannel())
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITE_BUFFER)
                        .childHandler(new ConnectionInitializer(context, connections));
        ChannelFuture bound =
                bootstrap.bind(network.bindAddress(), network.port()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            core.close();
            endLoops(acceptor, loops);
            throw new ConfigException(
                    "cannot listen on "
                            + network.bindAddress()
                            + ":"
                            + network.port()
                            + ": "
                            + String.valueOf(bound.cause().getMessage())
                            + "; choose another serverPort (--port) or bindAddress (--bind)",
                    bound.cause());
        }
        BrokerServer server;
        try {
            server =
                    new BrokerServer(
                            agent, acceptor, loops, connections, bound.channel(), config, core);
        } catch (ConfigException e) {
            bound.channel().close().awaitUninterruptibly();
            core.close();
            endLoops(acceptor, loops);
            throw e;
        }
        server.onReload(server.registration::reloaded);
        server.readUsersOnReload();
        wake.target = agent;
        agent.start();
        var unused = agent.failure().thenAccept(server::failed);
        LOG.info(
                "broker-started id={} port={} data={} transport={}",
                config.broker().brokerId(),
                server.port,
                config.storage().dataPath(),
                transport);
        return server;
    }

    /** Port that this listens on. */
    public int port() {
        return port;
    }

    /**
     * Completed when clients that use ZooKeeper find this broker, at once if it runs alone, and
     * also when ZooKeeper is not reached for some seconds: the broker goes on trying. Completed
     * exceptionally, with a {@link org.metaq.server.discovery.BrokerIdInUseException}, if another
     * live broker has its id.
     */
    public CompletableFuture<Void> discoverable() {
        return registration.settled();
    }

    /**
     * Completed with the cause if the broker fails while it runs: its connections are closed then,
     * and the process should end, for what is on the disk is only known after a restart. Also
     * completed if another broker turns out to have its id; it should be closed then.
     */
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    /** Completed when {@link #close} is done, whoever called it. */
    public CompletableFuture<Void> closed() {
        return closed;
    }

    /**
     * Hears of every configuration file that took effect at run time, on a thread of the broker's;
     * must not block for long.
     */
    public void onReload(Consumer<ConfigFile> listener) {
        if (operations != null) {
            operations.onReload(listener);
        }
    }

    /**
     * Stops cleanly: what was received is applied and answered, a last checkpoint is taken, the
     * data directory is free on return. Nothing happens the second time.
     */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        // first of all, so that clients go elsewhere
        registration.close();
        closeOperations();
        listener.close().awaitUninterruptibly();
        boolean interrupted = false;
        try {
            agent.stop();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        connections.close().awaitUninterruptibly();
        endLoops(acceptor, loops);
        LOG.info("broker-stopped port={}", port);
        closed.complete(null);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** For a caller that the broker must answer before it stops. */
    private void closeLater() {
        new Thread(this::close, "metaq-stop").start();
    }

    private void readUsersOnReload() {
        if (operations != null && users != null) {
            operations.alsoReads(users::reload);
        }
    }

    private void closeOperations() {
        if (users != null) {
            users.close();
        }
        if (operations != null) {
            operations.close();
        }
    }

    private void failed(Throwable cause) {
        failure.complete(cause);
        closeOperations();
        var unusedListener = listener.close();
        var unusedConnections = connections.close();
    }

    private static void endLoops(EventLoopGroup acceptor, EventLoopGroup loops) {
        Future<?> acceptorEnd =
                acceptor.shutdownGracefully(0, LOOP_END_MAX_SECONDS, TimeUnit.SECONDS);
        Future<?> loopsEnd = loops.shutdownGracefully(0, LOOP_END_MAX_SECONDS, TimeUnit.SECONDS);
        acceptorEnd.awaitUninterruptibly();
        loopsEnd.awaitUninterruptibly();
    }

    private static final class ConnectionInitializer extends ChannelInitializer<Channel> {
        private final ServerContext context;
        private final ChannelGroup connections;

        ConnectionInitializer(ServerContext context, ChannelGroup connections) {
            this.context = context;
            this.connections = connections;
        }

        @Override
        protected void initChannel(Channel channel) {
            connections.add(channel);
            channel.pipeline().addLast(new ConnectionHandler(context));
        }
    }

    /** Wakes an agent that is made after what wakes it. */
    private static final class WakeLater implements Runnable {
        // written once by the starting thread, read by threads of the store
        private volatile @Nullable BrokerAgent target;

        @Override
        public void run() {
            BrokerAgent agent = target;
            if (agent != null) {
                agent.wake();
            }
        }
    }
}
