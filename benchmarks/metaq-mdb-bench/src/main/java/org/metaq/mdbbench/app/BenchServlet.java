package org.metaq.mdbbench.app;

import jakarta.annotation.Resource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Queue;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.sql.DataSource;

/**
 * Does in the server what a request's parameter {@code do} says: {@code clear} the table, {@code
 * send} messages, {@code startDelivery} and {@code stopDelivery} of a bean, {@code count} the rows,
 * tell what is in the {@code rows}.
 */
@WebServlet("/run")
public class BenchServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int BODY_LENGTH = 1024;

    @Resource(name = "jms/factory")
    private transient ConnectionFactory factory;

    @Resource(name = "jms/one")
    private transient Queue one;

    @Resource(name = "jms/many")
    private transient Queue many;

    @Resource(lookup = "java:/jdbc/bench")
    private transient DataSource database;

    @Resource private transient UserTransaction transaction;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        String what = request.getParameter("do");
        try {
            String answer = "";
            switch (what) {
                case "clear" -> clear();
                case "send" ->
                        send(
                                request.getParameter("bean").equals("one") ? one : many,
                                number(request, "first"),
                                number(request, "count"),
                                number(request, "batch"));
                case "startDelivery", "stopDelivery" ->
                        ManagementFactory.getPlatformMBeanServer()
                                .invoke(bean(request), what, new Object[0], new String[0]);
                case "count" -> answer = query("select count(*) from received");
                case "rows" ->
                        answer =
                                query(
                                        "select count(*), count(distinct number),"
                                                + " coalesce(sum(length), 0),"
                                                + " coalesce(max(at_ns) - min(at_ns), 0)"
                                                + " from received");
                default -> throw new ServletException("cannot do " + what);
            }
            response.setContentType("text/plain");
            response.getWriter().print(answer);
        } catch (JMException
                | SQLException
                | NotSupportedException
                | SystemException
                | RollbackException
                | HeuristicMixedException
                | HeuristicRollbackException e) {
            throw new ServletException(e);
        }
    }

    private static int number(HttpServletRequest request, String name) {
        return Integer.parseInt(request.getParameter(name));
    }

    private static ObjectName bean(HttpServletRequest request) throws JMException {
        return new ObjectName(
                "jboss.as:deployment="
                        + request.getContextPath().substring(1)
                        + ".war,subsystem=ejb3,message-driven-bean="
                        + request.getParameter("bean"));
    }

    private void clear() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists received");
            statement.execute("create table received(number int, length int, at_ns bigint)");
        }
    }

    /** Sends messages with numbers from the first on, so many in a transaction. */
    private void send(Queue queue, int first, int count, int batch)
            throws NotSupportedException,
                    SystemException,
                    RollbackException,
                    HeuristicMixedException,
                    HeuristicRollbackException {
        byte[] body = new byte[BODY_LENGTH];
        int end = first + count;
        for (int number = first; number < end; ) {
            transaction.begin();
            try (JMSContext context = factory.createContext()) {
                JMSProducer producer = context.createProducer();
                for (int i = 0; i < batch && number < end; i++) {
                    producer.setProperty("number", number++).send(queue, body);
                }
            }
            transaction.commit();
        }
    }

    /** The columns of one row of numbers, with spaces between. */
    private String query(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            StringJoiner columns = new StringJoiner(" ");
            for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                columns.add(Long.toString(row.getLong(i)));
            }
            return columns.toString();
        }
    }
}
