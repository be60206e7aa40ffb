package org.metaq.testapp;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.EJBException;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Rows that say who did what. */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class Rows {
    @Resource(name = "jdbc/rows")
    private DataSource database;

    @PostConstruct
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    void create() {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table if not exists r(source varchar(100), text varchar(1000),"
                            + " deliveries int)");
        } catch (SQLException e) {
            throw new EJBException(e);
        }
    }

    /** Adds a row. */
    public void insert(String source, String text, int deliveries) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("insert into r values (?, ?, ?)")) {
            statement.setString(1, source);
            statement.setString(2, text);
            statement.setInt(3, deliveries);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new EJBException(e);
        }
    }

    /** The rows of one source, one a line: text, a space, delivery count; ordered by text. */
    public String list(String source) {
        StringBuilder lines = new StringBuilder();
        try (Connection connection = database.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement(
                                "select text, deliveries from r where source = ? order by text")) {
            statement.setString(1, source);
            ResultSet row = statement.executeQuery();
            while (row.next()) {
                lines.append(row.getString(1)).append(' ').append(row.getInt(2)).append('\n');
            }
        } catch (SQLException e) {
            throw new EJBException(e);
        }
        return lines.toString();
    }
}
