/** Proves on a live server that transactions and their recovery work. */
@NullMarked
package org.metaq.ra.check;

import org.jspecify.annotations.NullMarked;
