/**
 * {@code metaq soak}: transactions over two brokers and a database, in processes that are killed at
 * random. Imports the JMS API, our connection factory and Narayana; brokers are other processes.
 */
@NullMarked
package org.metaq.soak;

import org.jspecify.annotations.NullMarked;
