package org.metaq.narayana;

import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.h2.jdbcx.JdbcDataSource;

/** A database with a table of texts, which Narayana recovers. Confined to its thread. */
final class TestDatabase implements AutoCloseable {
    /** Where a transaction is, as the database sees it. */
    enum Step {
        PREPARE,
        COMMIT,
        COMMITTED
    }

    /** Sees each step, and may do something about it. */
    @FunctionalInterface
    interface Watcher {
        void at(Step step) throws XAException;
    }

    private final XAConnection xa;
    private final XAConnection recovery;
    private final Connection work;
    private final XAResourceRecoveryHelper helper = new Helper();

    /** Opens it; a directory has one. */
    TestDatabase(Path directory) throws SQLException {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:file:" + directory.resolve("database") + ";WRITE_DELAY=0");
        xa = source.getXAConnection();
        recovery = source.getXAConnection();
        work = xa.getConnection();
        XARecoveryModule.getRegisteredXARecoveryModule().addXAResourceRecoveryHelper(helper);
    }

    /** Makes the table, where none is: a branch in doubt would lock it. */
    void create() throws SQLException {
        execute("create table texts (text varchar not null)");
    }

    /** Writes a row in the transaction of the thread. */
    void insert(TransactionManager manager, String text, Watcher watcher) throws Exception {
        manager.getTransaction().enlistResource(new Resource(xa.getXAResource(), watcher));
        execute("insert into texts values ('" + text + "')");
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = work.createStatement()) {
            statement.execute(sql);
        }
    }

    List<String> texts() throws SQLException {
        try (Statement statement = work.createStatement();
                ResultSet rows = statement.executeQuery("select text from texts")) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }

    @Override
    public void close() throws SQLException {
        XARecoveryModule.getRegisteredXARecoveryModule().removeXAResourceRecoveryHelper(helper);
        xa.close();
        recovery.close();
    }

    private final class Helper implements XAResourceRecoveryHelper {
        @Override
        public boolean initialise(String ignored) {
            return true;
        }

        @Override
        public XAResource[] getXAResources() throws SQLException {
            return new XAResource[] {new NamedResource("database", recovery.getXAResource())};
        }
    }

    private static final class Resource extends NamedResource {
        private final Watcher watcher;

        Resource(XAResource resource, Watcher watcher) {
            super("database", resource);
            this.watcher = watcher;
        }

        @Override
        public int prepare(Xid xid) throws XAException {
            watcher.at(Step.PREPARE);
            return super.prepare(xid);
        }

        @Override
        public void commit(Xid xid, boolean onePhase) throws XAException {
            watcher.at(Step.COMMIT);
            super.commit(xid, onePhase);
            watcher.at(Step.COMMITTED);
        }
    }
}
