/**
 * What the container tests deploy: a servlet that runs cases by name in the server, the beans that
 * it calls, and message-driven beans that do what the text of a message says.
 */
@NullMarked
package org.metaq.testapp;

import org.jspecify.annotations.NullMarked;
