/**
 * Where a group keeps how far it has read: {@link org.metaq.client.offset.OffsetStorage}, in a file
 * or a table; in ZooKeeper it is in a module of its own. Called on a consumer's threads, one call
 * at a time. Imports {@code org.metaq.client.cluster}.
 */
@NullMarked
package org.metaq.client.offset;

import org.jspecify.annotations.NullMarked;
