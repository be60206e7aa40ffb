/**
 * The connection to a broker: commands out, replies in, and the pull loop of a consumer. Owns one
 * reader thread per open connection; whoever sends writes to the socket itself. Imports the
 * protocol, the JDK and slf4j; knows nothing of the JMS API.
 */
@NullMarked
package org.metaq.client;

import org.jspecify.annotations.NullMarked;
