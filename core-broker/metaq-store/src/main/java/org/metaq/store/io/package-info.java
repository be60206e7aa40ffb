/**
 * The seam to the disk: a directory tree and its files. One implementation meets the real disk, the
 * simulation has another. Imports nothing of the store.
 */
@NullMarked
package org.metaq.store.io;

import org.jspecify.annotations.NullMarked;
