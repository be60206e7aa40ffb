package org.metaq.samples.orders;

import jakarta.annotation.Resource;
import jakarta.ejb.EJB;
import jakarta.ejb.Stateless;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/**
 * Takes orders. A method is one transaction: the row and the message are both there, or neither. A
 * client that got no answer sends the order again with the same id, which changes nothing if it was
 * taken.
 */
@Stateless
@Path("orders")
public class OrdersResource {
    /** Where accepted orders go. */
    static final String QUEUE = "orders";

    @Resource(name = "jms/connectionFactory")
    private ConnectionFactory connectionFactory;

    @EJB private OrderTable orders;

    /** Takes an order. */
    @PUT
    @Path("{id}")
    @Consumes(MediaType.TEXT_PLAIN)
    @Produces(MediaType.TEXT_PLAIN)
    public String place(@PathParam("id") String id, String item) {
        if (!orders.insert(id, item)) {
            return "known\n";
        }
        try (JMSContext context = connectionFactory.createContext()) {
            context.createProducer().send(context.createQueue(QUEUE), id);
        }
        return "accepted\n";
    }

    /** How many orders there are, how many of them were processed, and how many twice. */
    @GET
    @Produces(MediaType.TEXT_PLAIN)
    public String status() {
        return orders.status();
    }
}
