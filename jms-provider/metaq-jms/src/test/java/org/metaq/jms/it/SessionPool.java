package org.metaq.jms.it;

import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The part of an application server: sessions that are lent out, and threads to run them on. */
final class SessionPool implements ServerSessionPool, AutoCloseable {
    /** Runs a loaded session; a server would do its transactions around it. */
    @FunctionalInterface
    interface Work {
        void run(Session session);
    }

    /** A feeder that waited for ever would outlive its connection and fail other tests. */
    private static final long PATIENCE_S = 10;

    private final BlockingQueue<ServerSession> idle = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    static SessionPool of(Work work, Session... sessions) {
        SessionPool pool = new SessionPool();
        for (Session session : sessions) {
            pool.idle.add(pool.new Lent(session, work));
        }
        return pool;
    }

    private final class Lent implements ServerSession {
        private final Session session;
        private final Work work;

        Lent(Session session, Work work) {
            this.session = session;
            this.work = work;
        }

        @Override
        public Session getSession() {
            return session;
        }

        @Override
        public void start() {
            threads.execute(
                    () -> {
                        try {
                            work.run(session);
                        } finally {
                            idle.add(this);
                        }
                    });
        }
    }

    @Override
    public ServerSession getServerSession() throws JMSException {
        try {
            ServerSession session = idle.poll(PATIENCE_S, TimeUnit.SECONDS);
            if (session == null) {
                throw new JMSException("no session came back within " + PATIENCE_S + " s");
            }
            return session;
        } catch (InterruptedException e) {
            throw new JMSException("interrupted: " + e.getMessage());
        }
    }

    int idleCount() {
        return idle.size();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
