package org.metaq.samples.springjta;

import com.arjuna.ats.jdbc.TransactionalDriver;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.UserTransaction;
import java.nio.file.Path;
import java.util.Properties;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.narayana.MetaQNarayana;
import org.metaq.tm.TransactionalConnectionFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.jta.JtaTransactionManager;

/**
 * Transactions over JMS and a database. Boot's listeners run in them, because there is a JTA
 * manager.
 */
@Configuration(proxyBeanMethods = false)
class Jta {
    @Bean
    Narayana narayana(@Value("${orders.directory}") Path directory) throws Exception {
        return new Narayana(directory.resolve("transactions").toAbsolutePath());
    }

    @Bean
    JtaTransactionManager transactionManager(Narayana narayana) {
        UserTransaction user = com.arjuna.ats.jta.UserTransaction.userTransaction();
        TransactionManager manager = narayana.manager();
        return new JtaTransactionManager(user, manager);
    }

    @Bean
    TransactionalConnectionFactory connectionFactory(
            Narayana narayana, @Value("${metaq.uri}") String uri) {
        return MetaQNarayana.connectionFactory(new MetaQConnectionFactory(uri));
    }

    @Bean
    JdbcDataSource h2(@Value("${orders.directory}") Path directory) {
        JdbcDataSource source = new JdbcDataSource();
        // A commit is with the operating system before it returns, and so survives kill -9.
        source.setURL(
                "jdbc:h2:file:"
                        + directory.resolve("database").toAbsolutePath()
                        + ";WRITE_DELAY=0;DB_CLOSE_DELAY=-1");
        return source;
    }

    /** Its connections join the transaction, by Narayana's JDBC driver. */
    @Bean
    JdbcTemplate database(Narayana narayana, JdbcDataSource h2) throws Exception {
        new JdbcTemplate(h2).execute("create table if not exists orders (text varchar not null)");
        narayana.recover(h2);
        Properties options = new Properties();
        options.put(TransactionalDriver.XADataSource, h2);
        DataSource joining =
                new SimpleDriverDataSource(
                        new TransactionalDriver(), TransactionalDriver.arjunaDriver, options);
        return new JdbcTemplate(joining);
    }
}
