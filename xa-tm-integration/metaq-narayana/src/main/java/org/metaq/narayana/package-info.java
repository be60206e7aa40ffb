/**
 * Lets Narayana finish the in-doubt branches of a broker. Runs on the threads of Narayana's
 * recovery manager; imports the connection factory, never the sessions behind it.
 */
@NullMarked
package org.metaq.narayana;

import org.jspecify.annotations.NullMarked;
