/**
 * The proof: whole brokers on a simulated disk and clock, driven by seeded random workloads,
 * crashed at every write and force, and compared with a model of what clients were told; and two of
 * them under transaction managers that crash too, over a simulated network, where each answer is
 * judged and global transactions must end everywhere or nowhere. Deterministic and single-threaded:
 * a seed says everything. Imports the broker, the store and the protocol; nothing imports it.
 */
@NullMarked
package org.metaq.sim;

import org.jspecify.annotations.NullMarked;
