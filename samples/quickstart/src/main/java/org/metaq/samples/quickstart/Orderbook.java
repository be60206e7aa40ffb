package org.metaq.samples.quickstart;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * The database: a table of orders in files of a directory. One process at a time can have it open.
 *
 * <p>The table has no primary key, on purpose: an order that was moved twice must show as two rows,
 * not as a transaction that fails.
 */
final class Orderbook {
    /** Longest text of an order, as the column can hold it. */
    static final int TEXT_LENGTH_MAX = 1_000_000;

    private final JdbcDataSource source = new JdbcDataSource();

    Orderbook(Path directory) {
        // WRITE_DELAY=0: a commit is with the operating system before it returns, and so survives
        // kill -9. A prepared branch always is. The database closes only when it is told to, so
        // that
        // it is not opened anew for each connection.
        source.setURL(
                "jdbc:h2:file:"
                        + directory.resolve("orderbook").toAbsolutePath()
                        + ";WRITE_DELAY=0;DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE");
        source.setUser("sa");
        source.setPassword("");
    }

    /** Creates the table if it is not there. */
    void create() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table if not exists orders (number int not null, text varchar("
                            + TEXT_LENGTH_MAX
                            + ") not null)");
        }
    }

    /** A connection whose work belongs to distributed transactions; the caller closes it. */
    XAConnection xaConnection() throws SQLException {
        return source.getXAConnection();
    }

    /** Adds a row, in the connection's transaction. */
    static void insert(Connection connection, int number, String text) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into orders (number, text) values (?, ?)")) {
            insert.setInt(1, number);
            insert.setString(2, text);
            insert.executeUpdate();
        }
    }

    /** Committed rows. */
    long count() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from orders")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Hands every row to a tally. */
    void read(Tally tally) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            // Row by row: all texts together may be larger than memory.
            statement.execute("set lazy_query_execution 1");
            try (ResultSet rows = statement.executeQuery("select number, text from orders")) {
                while (rows.next()) {
                    tally.add(rows.getInt(1), OrderHash.of(rows.getString(2)));
                }
            }
        }
    }

    /** Prepared branches that nobody has finished. */
    int inDoubt() throws SQLException, XAException {
        XAConnection connection = source.getXAConnection();
        try {
            return connection
                    .getXAResource()
                    .recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)
                    .length;
        } finally {
            connection.close();
        }
    }

    /** Closes the files. */
    void close() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("shutdown");
        }
    }
}
