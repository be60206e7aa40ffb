package org.metaq.mdbbench;

/**
 * What one round of one provider measured.
 *
 * @param ratePerSecond messages from the first to the last row
 * @param serverCpuUs processor time of the server for a message, in microseconds; with its broker
 *     if that is in it, and with the senders
 * @param brokerCpuUs the same of our broker's process
 */
record Outcome(double ratePerSecond, double serverCpuUs, double brokerCpuUs) {}
