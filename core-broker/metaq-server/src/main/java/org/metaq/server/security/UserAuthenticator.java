package org.metaq.server.security;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.metaq.broker.Authenticator;
import org.metaq.protocol.ErrorCode;
import org.metaq.server.config.ConfigException;

/**
 * Asks the users file. What was verified once is answered on the writer thread at once; the rest on
 * a thread {@code metaq-login}, one after the other, so that guessing passwords takes at most one
 * processor. Thread-safe.
 */
public final class UserAuthenticator implements Authenticator, AutoCloseable {
    /** Logins that wait for the thread; more are told to try again. */
    private static final int WAITING_MAX = 256;

    private static final long IDLE_SECONDS = 30;
    private static final String REFUSED = "user or password is wrong";

    private final Path file;
    private final boolean allowAnonymous;
    private final Executor writer;
    private final ThreadPoolExecutor thread;

    // replaced by a reload, read by the writer and the login thread
    private volatile KnownUsers users;

    private UserAuthenticator(
            Path file, boolean allowAnonymous, Executor writer, KnownUsers users) {
        this.file = file;
        this.allowAnonymous = allowAnonymous;
        this.writer = writer;
        this.users = users;
        this.thread =
                new ThreadPoolExecutor(
                        1,
                        1,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(WAITING_MAX),
                        task -> {
                            Thread made = new Thread(task, "metaq-login");
                            made.setDaemon(true);
                            return made;
                        });
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Reads the users.
     *
     * @param writer runs on the writer thread what it is given, from any thread
     * @throws ConfigException if the file cannot be read or is not valid
     */
    public static UserAuthenticator open(Path file, boolean allowAnonymous, Executor writer) {
        return new UserAuthenticator(
                file, allowAnonymous, writer, new KnownUsers(UsersFile.read(file)));
    }

    /**
     * Reads the users again; connections that are open stay.
     *
     * @return a sentence for the operator
     * @throws ConfigException if the file cannot be read or is not valid; the users stay as they
     *     were
     */
    public List<String> reload() {
        KnownUsers read = new KnownUsers(UsersFile.read(file));
        users = read;
        return List.of("users: " + read.count() + " in " + file);
    }

    @Override
    public boolean allowsAnonymous() {
        return allowAnonymous;
    }

    @Override
    public void authenticate(String user, String password, Reply reply) {
        if (user.isEmpty() && password.isEmpty()) {
            if (allowAnonymous) {
                reply.accepted();
            } else {
                reply.refused(
                        ErrorCode.UNAUTHORIZED,
                        "this broker wants a user and a password (allowAnonymous = false)");
            }
            return;
        }
        KnownUsers now = users;
        if (now.isVerified(user, password)) {
            reply.accepted();
            return;
        }
        try {
            thread.execute(() -> verify(now, user, password, reply));
        } catch (RejectedExecutionException e) {
            reply.refused(
                    ErrorCode.BUSY,
                    WAITING_MAX + " logins are being verified, or the broker stops; try again");
        }
    }

    /** On the login thread. */
    private void verify(KnownUsers known, String user, String password, Reply reply) {
        // its application may have opened others meanwhile
        boolean isRight = known.isVerified(user, password) || known.verify(user, password);
        writer.execute(
                () -> {
                    if (isRight) {
                        reply.accepted();
                    } else {
                        reply.refused(ErrorCode.UNAUTHORIZED, REFUSED);
                    }
                });
    }

    /** Verifies nothing any more. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
