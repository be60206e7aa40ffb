/**
 * A small tree that breaks every rule at least once: proof that the rules can fail. No package of
 * it is null-marked.
 */
package org.metaq.architecture.broken;
