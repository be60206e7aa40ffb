package org.metaq.jms.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Enumeration;
import org.metaq.jms.destination.MetaQDestination;

/**
 * Copies messages of other providers through the public interfaces alone, as Jakarta Messaging 3.1
 * §3.12 demands of every provider.
 */
final class ForeignMessages {
    // §3.5.10: such properties talk to one provider's native clients, not to another provider.
    private static final String VENDOR_PREFIX = "JMS_";

    private ForeignMessages() {}

    static MetaQMessage copy(Message foreign) throws JMSException {
        MetaQMessage copy = copyBody(foreign);
        copy.setJMSCorrelationID(foreign.getJMSCorrelationID());
        copy.setJMSType(foreign.getJMSType());
        if (foreign.getJMSReplyTo() != null) {
            copy.setJMSReplyTo(MetaQDestination.from(foreign.getJMSReplyTo()));
        }
        Enumeration<?> names = foreign.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            if (!name.startsWith(VENDOR_PREFIX) && !PropertyNames.isSetByProvider(name)) {
                copy.setObjectProperty(name, foreign.getObjectProperty(name));
            }
        }
        return copy;
    }

    private static MetaQMessage copyBody(Message foreign) throws JMSException {
        if (foreign instanceof TextMessage text) {
            return new MetaQTextMessage(text.getText());
        } else if (foreign instanceof BytesMessage bytes) {
            return copyBytes(bytes);
        } else if (foreign instanceof MapMessage map) {
            return copyMap(map);
        } else if (foreign instanceof StreamMessage stream) {
            return copyStream(stream);
        } else if (foreign instanceof ObjectMessage object) {
            MetaQObjectMessage copy = new MetaQObjectMessage();
            copy.setObject(object.getObject());
            return copy;
        }
        return new MetaQMessage();
    }

    private static MetaQMessage copyBytes(BytesMessage foreign) throws JMSException {
        MetaQBytesMessage copy = new MetaQBytesMessage();
        foreign.reset();
        byte[] buffer = new byte[8192];
        for (int count = foreign.readBytes(buffer); count > 0; count = foreign.readBytes(buffer)) {
            copy.writeBytes(buffer, 0, count);
        }
        foreign.reset();
        return copy;
    }

    private static MetaQMessage copyMap(MapMessage foreign) throws JMSException {
        MetaQMapMessage copy = new MetaQMapMessage();
        Enumeration<?> names = foreign.getMapNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            copy.setObject(name, foreign.getObject(name));
        }
        return copy;
    }

    private static MetaQMessage copyStream(StreamMessage foreign) throws JMSException {
        MetaQStreamMessage copy = new MetaQStreamMessage();
        foreign.reset();
        try {
            while (true) {
                copy.writeObject(foreign.readObject());
            }
        } catch (MessageEOFException e) {
            // The interface has no other way to say that all was read.
            foreign.reset();
            return copy;
        }
    }

    static void copySendHeaders(Message sent, Message foreign) throws JMSException {
        foreign.setJMSDestination(sent.getJMSDestination());
        foreign.setJMSDeliveryMode(sent.getJMSDeliveryMode());
        foreign.setJMSExpiration(sent.getJMSExpiration());
        foreign.setJMSPriority(sent.getJMSPriority());
        foreign.setJMSMessageID(sent.getJMSMessageID());
        foreign.setJMSTimestamp(sent.getJMSTimestamp());
        foreign.setJMSDeliveryTime(sent.getJMSDeliveryTime());
    }
}
