/** The store: journal, logs, checkpoints, over one seam to the disk. */
@NullMarked
package org.metaq.store;

import org.jspecify.annotations.NullMarked;
