package org.metaq.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.jdbc.TransactionalDriver;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metaq.narayana.MetaQNarayana;
import org.metaq.tm.TransactionalConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jms.IllegalStateException;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's JtaTransactionManager on Narayana, with a database as the other resource. */
@Timeout(240)
class SpringJtaIT extends FrameworkTestBase {
    private static final int MAX_CONNECTIONS = 6;

    private JdbcDataSource h2;
    private JdbcTemplate database;
    private JtaTransactionManager manager;
    private TransactionTemplate inTransaction;
    private TransactionalConnectionFactory jms;
    private JmsTemplate template;

    @BeforeAll
    void setUpNarayana(@TempDir Path log) {
        BeanPopulator.getDefaultInstance(ObjectStoreEnvironmentBean.class)
                .setObjectStoreDir(log.toString());
        for (String store : List.of("communicationStore", "stateStore")) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(log.toString());
        }
        BeanPopulator.getDefaultInstance(CoordinatorEnvironmentBean.class)
                .setTransactionStatusManagerEnable(false);
        RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT).initialize();
        manager =
                new JtaTransactionManager(
                        com.arjuna.ats.jta.UserTransaction.userTransaction(),
                        com.arjuna.ats.jta.TransactionManager.transactionManager());
        manager.afterPropertiesSet();
        inTransaction = new TransactionTemplate(manager);
        h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:jta;DB_CLOSE_DELAY=-1");
        Properties options = new Properties();
        options.put(TransactionalDriver.XADataSource, h2);
        database =
                new JdbcTemplate(
                        new SimpleDriverDataSource(
                                new TransactionalDriver(),
                                TransactionalDriver.arjunaDriver,
                                options));
    }

    @AfterAll
    void stopNarayana() {
        RecoveryManager.manager().terminate();
    }

    @BeforeEach
    void openPool() {
        committed().execute("drop table if exists orders");
        committed().execute("create table orders (text varchar not null)");
        jms =
                closedLater(
                        MetaQNarayana.connectionFactory(
                                factory(), options -> options.maxConnections(MAX_CONNECTIONS)));
        template = new JmsTemplate(jms);
    }

    /** The database as others see it. */
    private JdbcTemplate committed() {
        return new JdbcTemplate(h2);
    }

    private List<String> rows() {
        return committed().queryForList("select text from orders", String.class);
    }

    private void insert(String text) {
        database.update("insert into orders (text) values (?)", text);
    }

    @Test
    void shouldSendAndInsertTogetherOrNotAtAll() throws JMSException {
        String queue = newName("queue");
        inTransaction.executeWithoutResult(
                status -> {
                    template.convertAndSend(queue, "a");
                    insert("a");
                    template.convertAndSend(queue, "b");
                });
        inTransaction.executeWithoutResult(
                status -> {
                    insert("undone");
                    template.convertAndSend(queue, "undone");
                    status.setRollbackOnly();
                });
        assertThatThrownBy(
                        () ->
                                inTransaction.executeWithoutResult(
                                        status -> {
                                            template.convertAndSend(queue, "fails");
                                            insert(null);
                                        }))
                .isInstanceOf(org.springframework.dao.DataIntegrityViolationException.class);
        assertThat(rows()).containsExactly("a");
        assertThat(drain(queue)).containsExactly("a", "b");
        assertThat(jms.connectionCount()).isEqualTo(1);
    }

    @Test
    void shouldReceiveInATransactionAndGetItAgainAfterARollback() throws JMSException {
        String queue = newName("queue");
        template.setReceiveTimeout(PATIENCE.toMillis());
        template.convertAndSend(queue, "a");
        for (int i = 0; i < 2; i++) {
            inTransaction.executeWithoutResult(
                    status -> {
                        assertThat(template.receiveAndConvert(queue)).isEqualTo("a");
                        status.setRollbackOnly();
                    });
        }
        inTransaction.executeWithoutResult(
                status -> assertThat(template.receiveAndConvert(queue)).isEqualTo("a"));
        assertThat(drain(queue)).isEmpty();
    }

    @Test
    void shouldSuspendATransactionForOneWithin() throws JMSException {
        String queue = newName("queue");
        TransactionTemplate separate = new TransactionTemplate(manager);
        separate.setPropagationBehavior(TransactionTemplate.PROPAGATION_REQUIRES_NEW);
        TransactionTemplate without = new TransactionTemplate(manager);
        without.setPropagationBehavior(TransactionTemplate.PROPAGATION_NOT_SUPPORTED);
        inTransaction.executeWithoutResult(
                status -> {
                    template.convertAndSend(queue, "outer");
                    separate.executeWithoutResult(inner -> template.convertAndSend(queue, "inner"));
                    without.executeWithoutResult(none -> template.convertAndSend(queue, "none"));
                    template.convertAndSend(queue, "outer");
                    status.setRollbackOnly();
                });
        assertThat(drain(queue)).containsExactly("inner", "none");
    }

    /** A cache keeps sessions, which then are not made in the transaction that uses them. */
    @Test
    void shouldRefuseSessionsThatACacheMadeOutsideOfTheTransaction() throws JMSException {
        String queue = newName("queue");
        CachingConnectionFactory cache = new CachingConnectionFactory(jms);
        closedLater(cache::destroy);
        JmsTemplate cached = new JmsTemplate(cache);
        cached.convertAndSend(queue, "outside");
        assertThatThrownBy(
                        () ->
                                inTransaction.executeWithoutResult(
                                        status -> cached.convertAndSend(queue, "lost?")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("make one within the transaction");
        assertThat(drain(queue)).containsExactly("outside");
    }

    /**
     * Each message is received, inserted and confirmed in one transaction; each tenth fails once.
     */
    @ParameterizedTest
    @CsvSource({"CACHE_NONE, 1000", "CACHE_CONNECTION, 200"})
    void shouldMoveEachMessageOnceThoughSomeTransactionsAreRolledBack(String cache, int count)
            throws JMSException {
        String queue = newName("queue");
        String confirmations = newName("confirmations");
        AtomicInteger deliveries = new AtomicInteger();
        AtomicInteger connectionsMax = new AtomicInteger();
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(jms);
        container.setTransactionManager(manager);
        container.setDestinationName(queue);
        container.setCacheLevelName(cache);
        container.setConcurrency("3");
        container.setReceiveTimeout(500);
        container.setMessageListener(
                (MessageListener)
                        message -> {
                            deliveries.incrementAndGet();
                            connectionsMax.accumulateAndGet(jms.connectionCount(), Math::max);
                            String text = text(message);
                            insert(text);
                            template.convertAndSend(confirmations, text);
                            if (text.endsWith("0") && deliveryCount(message) == 1) {
                                throw new RejectedException();
                            }
                        });
        container.afterPropertiesSet();
        closedLater(container::destroy);
        List<String> texts = IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
        inTransaction.executeWithoutResult(
                status -> texts.forEach(text -> template.convertAndSend(queue, text)));

        container.start();
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofSeconds(200))
                .untilAsserted(() -> assertThat(rows()).hasSizeGreaterThanOrEqualTo(count));
        container.shutdown();

        assertThat(rows()).containsExactlyInAnyOrderElementsOf(texts);
        assertThat(drain(confirmations)).containsExactlyInAnyOrderElementsOf(texts);
        assertThat(drain(queue)).isEmpty();
        assertThat(deliveries).hasValue(count + count / 10);
        assertThat(connectionsMax).hasValueLessThanOrEqualTo(MAX_CONNECTIONS);
        assertThat(jms.idleConnectionCount()).isEqualTo(jms.connectionCount());
    }

    private static final class RejectedException extends RuntimeException {}

    private static String text(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static int deliveryCount(Message message) {
        try {
            return message.getIntProperty("JMSXDeliveryCount");
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }
}
