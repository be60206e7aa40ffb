package org.metaq.samples.quickstart;

/** What the processes of the quickstart agree on. */
final class Names {
    /** Queue of the orders; each message's text is one. */
    static final String ORDERS = "orders";

    /** Topic of the confirmations. */
    static final String CONFIRMATIONS = "confirmations";

    /** Client id and name of the durable subscription that keeps the confirmations. */
    static final String AUDITOR = "auditor";

    static final String AUDIT = "audit";

    /** Message property with the number of the order. */
    static final String NUMBER = "orderNumber";

    /** Message property of a confirmation: hash of the order's text as it was received. */
    static final String HASH = "orderHash";

    private Names() {}
}
