/**
 * What is deployed on the server, once for each provider with descriptors of its own: a
 * message-driven bean and a servlet. Knows Jakarta EE alone.
 */
@NullMarked
package org.metaq.mdbbench.app;

import org.jspecify.annotations.NullMarked;
