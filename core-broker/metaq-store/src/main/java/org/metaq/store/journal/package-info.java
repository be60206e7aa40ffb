/**
 * The journal: the only thing that must reach the disk before a reply. Confined to the broker's
 * writer thread unless a type says otherwise. Imports {@code store.io} and {@code
 * store.checkpoint}.
 */
@NullMarked
package org.metaq.store.journal;

import org.jspecify.annotations.NullMarked;
