package org.metaq.client;

import org.metaq.protocol.Reply;

/** Told how a command ended: exactly one call, on the reader thread, so it must not block. */
public interface ReplyHandler {
    /** The broker did it: {@code value}, or {@code result} 200. */
    void answered(Reply reply);

    /** The broker refused it, or its outcome is unknown. */
    void failed(ClientException why);
}
