package org.metaq.jms.session;

import java.nio.charset.StandardCharsets;
import org.metaq.protocol.Reply;

/** Reads replies. Stateless. */
final class Replies {
    private Replies() {}

    /** The text of a successful reply. */
    static String text(Reply reply) {
        if (reply instanceof Reply.Result result) {
            return result.text();
        }
        return StandardCharsets.UTF_8.decode(((Reply.Value) reply).body().duplicate()).toString();
    }
}
