package org.metaq.testapp;

import jakarta.ejb.EJBException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * Stops a commit where a test wants to kill something: a resource in the transaction that makes a
 * file, and goes on when a second file is there, whose name ends in {@code .go}.
 *
 * @param step {@code commit}: the first resource to commit, when all have prepared and the decision
 *     is in the log; {@code prepare}: the last to prepare, when there is no decision yet
 * @param file made when it stops
 */
public record Stall(String step, String file) {
    private static final String[] TRANSACTION_MANAGERS = {
        "java:jboss/TransactionManager", "java:appserver/TransactionManager"
    };

    /** A resource for the server's recovery, which stops nowhere. */
    static XAResource finished() {
        return new Resource(new Stall("", ""));
    }

    /** Joins the transaction before all others, if it must be there then. */
    void enlistFirst() {
        if (LibertyTransactions.isHere()) {
            enlistInLiberty();
        } else if (step.equals("commit")) {
            enlist();
        }
    }

    /** Joins the transaction after all others, if it must be there then. */
    void enlistLast() {
        if (step.equals("prepare") && !LibertyTransactions.isHere()) {
            enlist();
        }
    }

    /** The last that joins is the first to prepare there. */
    private void enlistInLiberty() {
        if (step.equals("commit")) {
            LibertyTransactions.enlist(new Resource(this), 1);
        } else if (step.equals("prepare")) {
            LibertyTransactions.enlist(new Resource(this), 0);
        }
    }

    private void enlist() {
        try {
            transactionManager().getTransaction().enlistResource(new Resource(this));
        } catch (RollbackException | SystemException | NamingException e) {
            throw new EJBException(e);
        }
    }

    /** Constant names, of the server that this runs in. */
    @SuppressWarnings("BanJNDI")
    private static TransactionManager transactionManager() throws NamingException {
        NamingException missing = new NamingException("no transaction manager");
        for (String name : TRANSACTION_MANAGERS) {
            try {
                return (TransactionManager) new InitialContext().lookup(name);
            } catch (NamingException e) {
                missing.addSuppressed(e); // another server's name
            }
        }
        throw missing;
    }

    private void prepare() {
        if (step.equals("prepare")) {
            stopAt(file);
        }
    }

    private void commit() {
        if (step.equals("commit")) {
            stopAt(file);
        }
    }

    /** Once: when the transaction is finished after a restart, it does not stop again. */
    private static void stopAt(String place) {
        if (Files.exists(Path.of(place))) {
            return;
        }
        try {
            Files.createFile(Path.of(place));
            while (!Files.exists(Path.of(place + ".go"))) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Nothing is in it; serializable, as a server may keep it in its log. */
    private static final class Resource implements XAResource, Serializable {
        private static final long serialVersionUID = 1;

        private final String step;
        private final String file;

        Resource(Stall stall) {
            this.step = stall.step();
            this.file = stall.file();
        }

        @Override
        public int prepare(Xid xid) {
            new Stall(step, file).prepare();
            return XA_OK;
        }

        @Override
        public void commit(Xid xid, boolean onePhase) {
            new Stall(step, file).commit();
        }

        @Override
        public void rollback(Xid xid) {}

        @Override
        public void start(Xid xid, int flags) {}

        @Override
        public void end(Xid xid, int flags) {}

        @Override
        public void forget(Xid xid) {}

        @Override
        public Xid[] recover(int flag) {
            return new Xid[0];
        }

        @Override
        public boolean isSameRM(@Nullable XAResource other) {
            return other == this;
        }

        @Override
        public int getTransactionTimeout() {
            return 0;
        }

        @Override
        public boolean setTransactionTimeout(int seconds) {
            return false;
        }
    }
}
