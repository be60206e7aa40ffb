package org.metaq.jms.message;

import java.nio.ByteBuffer;
import org.metaq.common.Checksums;

/**
 * A message as a put command carries it.
 *
 * @param body int32 attribute length, envelope, payload; shared with nobody
 * @param flag bits of {@link org.metaq.protocol.MessageFormat}
 */
public record EncodedMessage(ByteBuffer body, int flag) {
    /** MetaQ's checksum of the body; computed at each call. */
    public int checksum() {
        return Checksums.messageChecksum(body);
    }
}
