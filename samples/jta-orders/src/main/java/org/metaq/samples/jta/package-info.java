/**
 * A queue, a database and another queue in one transaction, in plain Java with Narayana: start with
 * {@code JtaOrders}.
 */
@NullMarked
package org.metaq.samples.jta;

import org.jspecify.annotations.NullMarked;
