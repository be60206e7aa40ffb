package org.metaq.samples.jta;

import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jdbc.TransactionalDriver;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import org.h2.jdbcx.JdbcDataSource;

/** An H2 database whose connections join the thread's transaction, by Narayana's JDBC driver. */
final class Database implements XAResourceRecoveryHelper {
    private final TransactionalDriver driver = new TransactionalDriver();
    private final Properties options = new Properties();
    private final XAConnection recovery;

    private Database(JdbcDataSource source) throws SQLException {
        options.put(TransactionalDriver.XADataSource, source);
        recovery = source.getXAConnection();
    }

    /** Opens it, has Narayana recover it, and makes the table. */
    static Database open(Path file) throws SQLException {
        JdbcDataSource source = new JdbcDataSource();
        // A commit is with the operating system before it returns, and so survives kill -9.
        source.setURL("jdbc:h2:file:" + file + ";WRITE_DELAY=0");
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists orders (text varchar not null)");
        }
        Database database = new Database(source);
        XARecoveryModule.getRegisteredXARecoveryModule().addXAResourceRecoveryHelper(database);
        return database;
    }

    Connection connection() throws SQLException {
        return driver.connect(TransactionalDriver.arjunaDriver, options);
    }

    @Override
    public boolean initialise(String ignored) {
        return true;
    }

    @Override
    public XAResource[] getXAResources() throws SQLException {
        return new XAResource[] {recovery.getXAResource()};
    }
}
