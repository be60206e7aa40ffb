/**
 * Checkpoints: a manifest of files and lengths with the small state, from which a restart rebuilds
 * the views. Imports {@code store.io} and {@code store.journal}.
 */
@NullMarked
package org.metaq.store.checkpoint;

import org.jspecify.annotations.NullMarked;
