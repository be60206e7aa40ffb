package org.metaq.samples.jta;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import org.metaq.jms.MetaQConnectionFactory;
import org.metaq.narayana.MetaQNarayana;
import org.metaq.tm.TransactionalConnectionFactory;

/** Moves orders from a queue into a database, and confirms each: all three happen, or none. */
record JtaOrders(TransactionManager transactions, ConnectionFactory jms, Database database) {

    /** Moves what is there. Arguments: the broker's URI, a directory for database and log. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[1]).toAbsolutePath();
        TransactionManager transactions = Narayana.start(directory.resolve("transactions"));
        Database database = Database.open(directory.resolve("database"));
        try (TransactionalConnectionFactory jms =
                MetaQNarayana.connectionFactory(new MetaQConnectionFactory(args[0]))) {
            Narayana.startRecovery();
            JtaOrders orders = new JtaOrders(transactions, jms, database);
            int count = 0;
            while (orders.moveOne()) {
                count++;
            }
            System.out.println("moved " + count + " orders");
        } finally {
            Narayana.stop();
        }
    }

    private boolean moveOne() throws Exception {
        transactions.begin();
        try {
            boolean isMoved = moveInTransaction();
            transactions.commit();
            return isMoved;
        } finally {
            if (transactions.getStatus() != Status.STATUS_NO_TRANSACTION) {
                transactions.rollback();
            }
        }
    }

    private boolean moveInTransaction() throws Exception {
        try (JMSContext context = jms.createContext();
                Connection rows = database.connection();
                PreparedStatement insert =
                        rows.prepareStatement("insert into orders (text) values (?)")) {
            String order =
                    context.createConsumer(context.createQueue("orders"))
                            .receiveBody(String.class, 1000);
            if (order == null) {
                return false;
            }
            insert.setString(1, order);
            insert.executeUpdate();
            context.createProducer().send(context.createQueue("confirmations"), order);
            return true;
        }
    }
}
