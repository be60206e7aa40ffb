package org.metaq.mdbbench.app;

import jakarta.annotation.Resource;
import jakarta.ejb.EJBException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Makes a row of each message, in one transaction with its receipt. The descriptors say whose
 * messages, and how many at a time.
 */
public class RowBean implements MessageListener {
    @Resource(lookup = "java:/jdbc/bench")
    private DataSource database;

    @Override
    public void onMessage(Message message) {
        try (Connection connection = database.getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("insert into received values (?, ?, ?)")) {
            insert.setInt(1, message.getIntProperty("number"));
            insert.setInt(2, message.getBody(byte[].class).length);
            insert.setLong(3, System.nanoTime());
            insert.executeUpdate();
        } catch (JMSException | SQLException e) {
            throw new EJBException(e);
        }
    }
}
