/**
 * {@code metaq mdb-bench}: message-driven beans on WildFly by our resource adapter and broker, and
 * by WildFly's own messaging, Artemis, in turn. Server and broker are processes of {@code
 * container}; what runs in the server is in {@code app}.
 */
@NullMarked
package org.metaq.mdbbench;

import org.jspecify.annotations.NullMarked;
