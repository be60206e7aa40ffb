/**
 * A queue, a database and another queue in one transaction, with Spring Boot and Narayana: start
 * with {@link org.metaq.samples.springjta.SpringOrders}.
 */
@NullMarked
package org.metaq.samples.springjta;

import org.jspecify.annotations.NullMarked;
