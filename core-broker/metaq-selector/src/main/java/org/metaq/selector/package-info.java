/**
 * Message selectors: Jakarta Messaging 3.1 §3.8, from the text to a tree that is evaluated message
 * by message. The client parses to refuse a wrong selector at once, the broker to evaluate it.
 * Immutable once parsed, so any thread may use it; imports nothing but the JDK.
 */
@NullMarked
package org.metaq.selector;

import org.jspecify.annotations.NullMarked;
