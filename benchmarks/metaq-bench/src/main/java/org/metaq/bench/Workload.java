package org.metaq.bench;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.List;

/** Something that clients do with a broker again and again, and how it is measured. Immutable. */
interface Workload {
    /** Name, without blanks. */
    String name();

    /** One line for people. */
    String description();

    /** Names of the measurements that it yields, in this order. */
    List<String> rows();

    /**
     * Runs it in this process. It leaves nothing behind at the broker that hinders another one.
     *
     * @return one measurement for each of {@link #rows}
     * @throws BenchException if a client failed, hangs, or the provider cannot do this
     * @throws JMSException if the provider refuses something
     * @throws IOException if this machine's counters cannot be read
     */
    List<Measurement> run(Context context)
            throws BenchException, InterruptedException, IOException, JMSException;
}
