package org.metaq.soak;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.h2.jdbcx.JdbcDataSource;
import org.metaq.narayana.NamedResource;

/** A worker's database: a table of numbers. Thread-safe. */
public final class WorkerDatabase {
    /** What Narayana's log knows it as. */
    private static final String NAME = "database";

    private final XADataSource source;

    /** The database that a source leads to. */
    public WorkerDatabase(XADataSource source) {
        this.source = source;
    }

    /** An H2 database in a file, which keeps what it has answered when its process is killed. */
    public static WorkerDatabase h2(Path file) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(
                "jdbc:h2:file:"
                        + file.toAbsolutePath()
                        + ";WRITE_DELAY=0;DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE");
        return new WorkerDatabase(source);
    }

    /** Creates the table; not where one with branches in doubt may be, which lock it. */
    public void create() throws SQLException {
        try (Rows rows = connect();
                Statement statement = rows.work.createStatement()) {
            statement.execute("create table if not exists numbers (number int not null)");
        }
    }

    /** A connection; the caller closes it. */
    public Rows connect() throws SQLException {
        return new Rows(source.getXAConnection());
    }

    /** The numbers that were committed, each as often as it was, in order. */
    public List<Integer> numbers() throws SQLException {
        try (Rows rows = connect();
                Statement statement = rows.work.createStatement();
                ResultSet result =
                        statement.executeQuery("select number from numbers order by number")) {
            List<Integer> all = new ArrayList<>();
            while (result.next()) {
                all.add(result.getInt(1));
            }
            return all;
        }
    }

    /** How many numbers were committed. */
    int count() throws SQLException {
        try (Rows rows = connect();
                Statement statement = rows.work.createStatement();
                ResultSet result = statement.executeQuery("select count(*) from numbers")) {
            result.next();
            return result.getInt(1);
        }
    }

    /** Prepared branches that nobody has finished. */
    public int inDoubt() throws SQLException, XAException {
        try (Rows rows = connect()) {
            return rows.resource().recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN).length;
        }
    }

    /** A connection, whose work may belong to a distributed transaction. Confined to its thread. */
    public static final class Rows implements AutoCloseable {
        private final XAConnection xa;
        private final Connection work;

        private Rows(XAConnection xa) throws SQLException {
            this.xa = xa;
            this.work = xa.getConnection();
        }

        /** To be enlisted. */
        public NamedResource resource() throws SQLException {
            return new NamedResource(NAME, xa.getXAResource());
        }

        /** Adds a row. */
        public void insert(int number) throws SQLException {
            try (PreparedStatement insert =
                    work.prepareStatement("insert into numbers (number) values (?)")) {
                insert.setInt(1, number);
                insert.executeUpdate();
            }
        }

        @Override
        public void close() throws SQLException {
            xa.close();
        }
    }
}
