package org.metaq.client.offset;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.metaq.client.cluster.TopicPartition;

/**
 * Keeps offsets in a table, which a whole group can share. The table is the one of MetaQ 1.4, which
 * existing groups can go on with; its statements for a new database are resources beside this
 * class: {@code offsets.sql} for standard SQL (H2, PostgreSQL), {@code offsets-mysql.sql} for
 * MariaDB and MySQL; see {@code docs/formats.md}.
 *
 * <p>Names are quoted as the database says, for {@code partition} and {@code offset} are reserved
 * words in some. Each offset is stored in a transaction of its own: an update, or an insert if
 * there was no row. Thread-safe if the data source is.
 */
public final class JdbcOffsetStorage implements OffsetStorage {
    /** Name of MetaQ's table. */
    public static final String DEFAULT_TABLE = "meta_topic_partition_group_offset";

    /** SQL states of this class say that a key is there already. */
    private static final String CONSTRAINT_VIOLATION = "23";

    private final DataSource dataSource;
    private final String table;

    /** With MetaQ's table. The data source stays the caller's. */
    public JdbcOffsetStorage(DataSource dataSource) {
        this(dataSource, DEFAULT_TABLE);
    }

    /**
     * With a table of another name.
     *
     * @throws IllegalArgumentException unless the name is of letters, digits and {@code _}
     */
    public JdbcOffsetStorage(DataSource dataSource, String table) {
        if (!table.matches("[A-Za-z0-9_]+")) {
            throw new IllegalArgumentException(
                    "table '" + table + "' has other characters than letters, digits and _");
        }
        this.dataSource = dataSource;
        this.table = table;
    }

    @Override
    public @Nullable GroupOffset load(String group, TopicPartition partition) throws IOException {
        try (Connection connection = dataSource.getConnection()) {
            String query =
                    sql(
                            connection,
                            "SELECT <msg_id>, <offset> FROM <table>"
                                    + " WHERE <topic> = ? AND <partition> = ? AND <group_id> = ?");
            try (PreparedStatement statement = connection.prepareStatement(query)) {
                setKey(statement, 1, group, partition);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? new GroupOffset(row.getLong(1), row.getLong(2)) : null;
                }
            } finally {
                end(connection, false);
            }
        } catch (SQLException e) {
            throw new IOException("offset of " + group + " in " + partition + ": " + e, e);
        }
    }

    @Override
    public void store(String group, Map<TopicPartition, GroupOffset> offsets) throws IOException {
        try (Connection connection = dataSource.getConnection()) {
            for (Map.Entry<TopicPartition, GroupOffset> each : offsets.entrySet()) {
                store(connection, group, each.getKey(), each.getValue());
            }
        } catch (SQLException e) {
            throw new IOException("offsets of " + group + " in " + offsets.keySet() + ": " + e, e);
        }
    }

    private void store(
            Connection connection, String group, TopicPartition partition, GroupOffset offset)
            throws SQLException {
        boolean done = false;
        try {
            if (!update(connection, group, partition, offset)
                    && !insert(connection, group, partition, offset)) {
                // Another member was faster with the first row.
                end(connection, false);
                update(connection, group, partition, offset);
            }
            done = true;
        } finally {
            end(connection, done);
        }
    }

    private boolean update(
            Connection connection, String group, TopicPartition partition, GroupOffset offset)
            throws SQLException {
        String command =
                sql(
                        connection,
                        "UPDATE <table> SET <offset> = ?, <msg_id> = ?"
                                + " WHERE <topic> = ? AND <partition> = ? AND <group_id> = ?");
        try (PreparedStatement statement = connection.prepareStatement(command)) {
            statement.setLong(1, offset.offset());
            statement.setLong(2, offset.messageId());
            setKey(statement, 3, group, partition);
            return statement.executeUpdate() > 0;
        }
    }

    /** Returns false if the row is there already. */
    private boolean insert(
            Connection connection, String group, TopicPartition partition, GroupOffset offset)
            throws SQLException {
        String command =
                sql(
                        connection,
                        "INSERT INTO <table>"
                                + " (<topic>, <partition>, <group_id>, <offset>, <msg_id>)"
                                + " VALUES (?, ?, ?, ?, ?)");
        try (PreparedStatement statement = connection.prepareStatement(command)) {
            setKey(statement, 1, group, partition);
            statement.setLong(4, offset.offset());
            statement.setLong(5, offset.messageId());
            statement.executeUpdate();
            return true;
        } catch (SQLException e) {
            String state = e.getSQLState();
            if (state != null && state.startsWith(CONSTRAINT_VIOLATION)) {
                return false;
            }
            throw e;
        }
    }

    private static void setKey(
            PreparedStatement statement, int first, String group, TopicPartition partition)
            throws SQLException {
        statement.setString(first, partition.topic());
        statement.setString(first + 1, partition.partition().toString());
        statement.setString(first + 2, group);
    }

    /** Fills the table's name in and quotes all names. */
    private String sql(Connection connection, String template) throws SQLException {
        String quote = connection.getMetaData().getIdentifierQuoteString().trim();
        return template.replace("<table>", '<' + table + '>').replaceAll("[<>]", quote);
    }

    private static void end(Connection connection, boolean commits) throws SQLException {
        if (!connection.getAutoCommit()) {
            if (commits) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }
    }

    /** Nothing to do. */
    @Override
    public void close() {
        // the data source is the caller's
    }
}
