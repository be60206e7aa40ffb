package org.metaq.testapp;

import jakarta.annotation.Resource;
import jakarta.ejb.EJBException;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Rows in a database that has a process of its own, which a test kills. */
@Stateless
public class RemoteRows {
    @Resource(name = "jdbc/remote")
    private DataSource database;

    /** Makes the table. */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void create() {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table r(text varchar(100))");
        } catch (SQLException e) {
            throw new EJBException(e);
        }
    }

    /** Adds a row. */
    public void insert(String text) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("insert into r values (?)")) {
            statement.setString(1, text);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new EJBException(e);
        }
    }

    /** The rows, one a line. */
    public String list() {
        StringBuilder lines = new StringBuilder();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select text from r")) {
            while (row.next()) {
                lines.append(row.getString(1)).append('\n');
            }
        } catch (SQLException e) {
            throw new EJBException(e);
        }
        return lines.toString();
    }
}
