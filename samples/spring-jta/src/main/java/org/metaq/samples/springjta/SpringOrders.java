package org.metaq.samples.springjta;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;

/** Moves orders from a queue into a database, and confirms each: all three happen, or none. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Jta.class)
public class SpringOrders {
    private final JmsTemplate jms;
    private final JdbcTemplate database;

    /** For Spring. */
    public SpringOrders(JmsTemplate jms, JdbcTemplate database) {
        this.jms = jms;
        this.database = database;
    }

    /** Called in a transaction: if it throws, the order comes again. */
    @JmsListener(destination = "orders")
    public void take(String order) {
        database.update("insert into orders (text) values (?)", order);
        jms.convertAndSend("confirmations", order);
    }

    /** Runs until it is stopped. Options: {@code --metaq.uri=…}, {@code --orders.directory=…}. */
    public static void main(String[] args) {
        SpringApplication.run(SpringOrders.class, args);
    }
}
