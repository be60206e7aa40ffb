package org.metaq.jms.session;

import java.util.Map;
import org.metaq.client.ClientOptions;
import org.metaq.client.ReconnectPolicy;
import org.metaq.jms.message.AllowList;

/**
 * What a connection needs to know. Immutable.
 *
 * @param client how to reach the broker, and as whom
 * @param reconnect what becomes of a connection that is lost
 * @param prefetch most messages that a consumer holds ahead of the application, &gt;= 0
 * @param allowList classes that object messages may hold
 * @param redelivery values of the redelivery policy that replace the broker's, by name
 */
public record ConnectionSettings(
        ClientOptions client,
        ReconnectPolicy reconnect,
        int prefetch,
        AllowList allowList,
        Map<String, String> redelivery) {}
