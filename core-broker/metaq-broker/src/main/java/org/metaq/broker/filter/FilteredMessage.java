package org.metaq.broker.filter;

import org.jspecify.annotations.Nullable;

/**
 * A message as a filter sees it.
 *
 * @param topic physical name
 * @param partition &gt;= 0
 * @param offset in the partition, bytes
 * @param id message id
 * @param attribute MetaQ's attribute, or null if it has none
 * @param payload without the attribute; must not be changed
 */
public record FilteredMessage(
        String topic,
        int partition,
        long offset,
        long id,
        @Nullable String attribute,
        byte[] payload) {}
