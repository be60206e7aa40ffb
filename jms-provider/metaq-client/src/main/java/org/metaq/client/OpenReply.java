package org.metaq.client;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@code open} answers: {@code <connectionId> <brokerId> <epoch> <maxMessageSize> <storeId>
 * <transactionTimeout>}.
 *
 * @param maxMessageSize bytes, clamped to an int
 * @param transactionTimeout seconds, of branches that set none
 */
record OpenReply(
        String connectionId,
        int brokerId,
        long epoch,
        int maxMessageSize,
        String storeId,
        int transactionTimeout) {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    /** Stands in until the broker has answered. */
    static final OpenReply NOT_YET = new OpenReply("", 0, 0, 0, "", 0);

    /** Reads the text of the reply; tokens beyond the sixth are for later versions. */
    static OpenReply parse(String text) throws ClientException {
        String[] tokens = text.trim().split(" ", -1);
        try {
            if (tokens.length >= 6 && !tokens[0].isEmpty()) {
                return new OpenReply(
                        tokens[0],
                        Integer.parseInt(tokens[1]),
                        Long.parseLong(tokens[2]),
                        (int) Math.min(Integer.MAX_VALUE, Long.parseLong(tokens[3])),
                        tokens[4],
                        Integer.parseInt(tokens[5]));
            }
        } catch (NumberFormatException e) {
            LOG.debug("open reply '{}'", text, e);
        }
        throw ClientException.notConnected("the reply to 'open' makes no sense: " + text, null);
    }
}
