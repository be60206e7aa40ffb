/**
 * What operators do with a running broker: the reload of {@code server.ini} and the JMX beans, with
 * what these show. Requests come on threads of JMX and of the writer; a thread {@code metaq-reload}
 * reads the file; whatever touches the {@link org.metaq.broker.Broker} is handed to the writer
 * thread. May import {@link org.metaq.server.config}, {@link org.metaq.broker}, {@link
 * org.metaq.protocol} and {@link org.metaq.common}, nothing else of ours.
 */
@NullMarked
package org.metaq.server.operations;

import org.jspecify.annotations.NullMarked;
