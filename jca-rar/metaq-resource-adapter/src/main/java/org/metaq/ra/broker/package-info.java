/** Which broker the adapter's parts talk to, and as whom. */
@NullMarked
package org.metaq.ra.broker;

import org.jspecify.annotations.NullMarked;
