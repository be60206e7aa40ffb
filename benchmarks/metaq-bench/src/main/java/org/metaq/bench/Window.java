package org.metaq.bench;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The measured time of a workload: what both processes used in it. Confined to one thread. */
final class Window {
    private final long brokerPid;
    private final long clientPid = ProcessHandle.current().pid();
    private final Sample start;

    /**
     * Opens the window now.
     *
     * @param brokerPid 0 if it is not known: then its share is not measured
     */
    Window(long brokerPid) throws IOException {
        this.brokerPid = brokerPid;
        this.start = sample();
    }

    /**
     * Closes it.
     *
     * @param messages that went through meanwhile
     * @param latency in nanoseconds
     */
    Map<Metric, Double> close(long messages, Histogram latency) throws IOException {
        Sample end = sample();
        double count = Math.max(1, messages);
        long elapsedNs = end.timeNs() - start.timeNs();
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        values.put(Metric.RATE, messages * 1e9 / elapsedNs);
        values.put(Metric.P50_US, latency.getValueAtPercentile(50) / 1e3);
        values.put(Metric.P99_US, latency.getValueAtPercentile(99) / 1e3);
        values.put(Metric.P999_US, latency.getValueAtPercentile(99.9) / 1e3);
        if (!Usage.isSupported()) {
            return values;
        }
        long clientCpuUs = end.client().cpuUs() - start.client().cpuUs();
        values.put(Metric.CLIENT_CPU_US, clientCpuUs / count);
        values.put(Metric.CLIENT_SWITCHES, end.client().switchesSince(start.client()) / count);
        values.put(
                Metric.DISK_BYTES,
                (end.disks().writtenBytes() - start.disks().writtenBytes()) / count);
        values.put(Metric.FLUSHES, (end.disks().flushes() - start.disks().flushes()) / count);
        values.put(Metric.CLIENT_RSS_MB, end.client().peakRssBytes() / 1e6);
        if (brokerPid > 0) {
            long brokerCpuUs = end.broker().cpuUs() - start.broker().cpuUs();
            values.put(Metric.BROKER_CPU_US, brokerCpuUs / count);
            values.put(Metric.BROKER_SWITCHES, end.broker().switchesSince(start.broker()) / count);
            values.put(Metric.BROKER_RSS_MB, end.broker().peakRssBytes() / 1e6);
            long ownUs = brokerPid == clientPid ? clientCpuUs : brokerCpuUs + clientCpuUs;
            long othersUs = end.machineCpuUs() - start.machineCpuUs() - ownUs;
            values.put(Metric.OTHERS_CORES, Math.max(0, othersUs * 1e3 / elapsedNs));
        }
        return values;
    }

    private Sample sample() throws IOException {
        if (!Usage.isSupported()) {
            return new Sample(System.nanoTime(), Usage.NONE, Usage.NONE, 0, new Usage.Disks(0, 0));
        }
        return new Sample(
                System.nanoTime(),
                brokerPid > 0 ? Usage.of(brokerPid) : Usage.NONE,
                Usage.of(clientPid),
                Usage.machineCpuUs(),
                Usage.Disks.now());
    }

    private record Sample(
            long timeNs, Usage broker, Usage client, long machineCpuUs, Usage.Disks disks) {}
}
