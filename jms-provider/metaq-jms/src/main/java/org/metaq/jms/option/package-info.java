/**
 * Options in URIs and destination names: {@code name=value&name=value}, their types and checks.
 * Immutable values and pure functions; imports nothing else of this module.
 */
@NullMarked
package org.metaq.jms.option;

import org.jspecify.annotations.NullMarked;
