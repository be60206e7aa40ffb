package org.metaq.samples.orders;

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

/**
 * The tables: accepted orders, and a row for each time that an order was processed. A failure of
 * the database rolls the caller's transaction back.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class OrderTable {
    @Resource(name = "jdbc/orders")
    private DataSource database;

    @PostConstruct
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    void create() {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table if not exists orders("
                            + "id varchar(100) primary key, item varchar(1000))");
            statement.execute("create table if not exists processed(id varchar(100))");
        } catch (SQLException e) {
            throw new EJBException(e);
        }
    }

    /** Adds an order; false if it is there already. */
    public boolean insert(String id, String item) {
        return update(
                        "insert into orders select ?, ? where not exists"
                                + " (select 1 from orders where id = ?)",
                        id,
                        item,
                        id)
                == 1;
    }

    /** Adds that an order was processed. */
    public void insertProcessed(String id) {
        update("insert into processed values (?)", id);
    }

    private int update(String sql, String... values) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new EJBException(e);
        }
    }

    /** How many orders there are, how many of them were processed, and how many twice. */
    public String status() {
        return String.format(
                "orders=%d processed=%d duplicated=%d%n",
                count("select count(*) from orders"),
                count("select count(distinct id) from processed"),
                count("select count(*) - count(distinct id) from processed"));
    }

    private long count(String sql) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new EJBException(e);
        }
    }
}
