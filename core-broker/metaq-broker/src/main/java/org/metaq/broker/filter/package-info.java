/**
 * Server-side filters of classic consumer groups: what a user implements. May import the JDK only.
 */
@NullMarked
package org.metaq.broker.filter;

import org.jspecify.annotations.NullMarked;
