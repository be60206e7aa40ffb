package org.metaq.client.publish;

import org.metaq.client.ClientException;
import org.metaq.client.cluster.Partition;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.Reply;

/**
 * Where a message is.
 *
 * @param messageId unique for good
 * @param partition where it was appended
 * @param offset of its first byte in the partition; -1 in a transaction
 */
public record SendResult(long messageId, Partition partition, long offset) {
    static SendResult of(int brokerId, Reply reply) throws ClientException {
        String text = reply instanceof Reply.Result result ? result.text() : "";
        String[] tokens = text.split(" ", -1);
        try {
            if (tokens.length == 3) {
                return new SendResult(
                        Long.parseLong(tokens[0]),
                        new Partition(brokerId, Integer.parseInt(tokens[1])),
                        Long.parseLong(tokens[2]));
            }
        } catch (IllegalArgumentException e) {
            throw noSense(text);
        }
        throw noSense(text);
    }

    private static ClientException noSense(String text) {
        return ClientException.of(
                ErrorCode.INTERNAL, "the reply to 'put' makes no sense: '" + text + "'");
    }
}
