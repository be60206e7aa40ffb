package org.metaq.architecture.broken.client;

/** Points up, and knows the JMS API. */
public class UsesJms {
    org.metaq.architecture.broken.jms.UsesStore up;

    jakarta.jms.Message message;
}
