package org.metaq.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a process has used so far, from Linux' {@code /proc}. Immutable.
 *
 * @param cpuUs processor time in microseconds, in steps of 10 ms
 * @param switches how often each of its living threads went to sleep, by thread id
 * @param peakRssBytes its highest resident memory
 */
public record Usage(long cpuUs, Map<Long, Long> switches, long peakRssBytes) {
    private static final Path PROC = Path.of("/proc");

    /** Microseconds of a clock tick of {@code /proc}: always 1/100 s in user space. */
    private static final long TICK_US = 10_000;

    private static final int FIELDS_BEFORE_UTIME = 11;
    private static final int NAME_FIELD = 2;
    private static final int SECTORS_WRITTEN_FIELD = 9;
    private static final int SECTOR_LENGTH = 512;
    private static final int FLUSHES_FIELD = 18;
    private static final int IDLE_FIELD = 4;
    private static final int IOWAIT_FIELD = 5;
    private static final int GUEST_FIELD = 9;

    /** Nothing was used, or nothing is known. */
    static final Usage NONE = new Usage(0, Map.of(), 0);

    public Usage {
        switches = Map.copyOf(switches);
    }

    /** True if this machine has what is read here. */
    static boolean isSupported() {
        return Files.isReadable(PROC.resolve("self/stat"));
    }

    /**
     * Reads a process's counters.
     *
     * @throws IOException if it has ended
     */
    static Usage of(long pid) throws IOException {
        return new Usage(cpuUs(pid), switches(directory(pid)), peakRssBytes(pid));
    }

    /**
     * How often its threads went to sleep since an earlier look. Of threads that ended since then
     * nothing is known; they are left out of both looks, as the sum of what is left would shrink.
     */
    long switchesSince(Usage earlier) {
        long sum = 0;
        for (Map.Entry<Long, Long> thread : switches.entrySet()) {
            sum += thread.getValue() - earlier.switches.getOrDefault(thread.getKey(), 0L);
        }
        return sum;
    }

    /** Processor time of a process so far in microseconds, in steps of 10 ms. */
    public static long cpuUs(long pid) throws IOException {
        // The name in parentheses may hold blanks.
        String stat = Files.readString(directory(pid).resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return TICK_US
                * (Long.parseLong(fields[FIELDS_BEFORE_UTIME])
                        + Long.parseLong(fields[FIELDS_BEFORE_UTIME + 1]));
    }

    /** Highest resident memory of a process since its start, or since a new peak was begun. */
    public static long peakRssBytes(long pid) throws IOException {
        return number(directory(pid).resolve("status"), "VmHWM:") * 1024;
    }

    /** Resident memory of a process. */
    public static long rssBytes(long pid) throws IOException {
        return number(directory(pid).resolve("status"), "VmRSS:") * 1024;
    }

    /**
     * Bytes that a process has handed to write calls, of files and sockets alike; unlike those of
     * the disk, they depend on nothing else that runs.
     */
    public static long writtenBytes(long pid) throws IOException {
        return number(directory(pid).resolve("io"), "wchar:");
    }

    /**
     * Begins a new peak of a process's resident memory, if the system allows it; else the peak is
     * that since its start.
     *
     * @param pid 0 for none
     */
    static void restartPeak(long pid) {
        Path file = directory(pid).resolve("clear_refs");
        if (Files.isWritable(file)) {
            try {
                Files.writeString(file, "5");
            } catch (IOException e) {
                System.err.println("the peak memory is that since the start: " + e);
            }
        }
    }

    /** Processor time of the whole machine in microseconds, idle time left out. */
    static long machineCpuUs() throws IOException {
        String[] fields = Files.readAllLines(PROC.resolve("stat")).get(0).split(" +", -1);
        long ticks = 0;
        for (int i = 1; i < Math.min(fields.length, GUEST_FIELD); i++) {
            if (i != IDLE_FIELD && i != IOWAIT_FIELD) {
                ticks += Long.parseLong(fields[i]);
            }
        }
        return ticks * TICK_US;
    }

    /**
     * What the machine's disks have done so far. A process's own {@code write_bytes} will not do:
     * Linux counts the whole folio, up to some MiB, for each page of it that gets dirty.
     *
     * @param flushes flush requests completed
     * @param writtenBytes bytes written
     */
    record Disks(long flushes, long writtenBytes) {
        /** Reads the counters. */
        static Disks now() throws IOException {
            long flushes = 0;
            long sectors = 0;
            for (String line : Files.readAllLines(PROC.resolve("diskstats"))) {
                String[] fields = line.strip().split(" +", -1);
                if (fields.length > FLUSHES_FIELD && isDisk(fields[NAME_FIELD])) {
                    flushes += Long.parseLong(fields[FLUSHES_FIELD]);
                    sectors += Long.parseLong(fields[SECTORS_WRITTEN_FIELD]);
                }
            }
            return new Disks(flushes, sectors * SECTOR_LENGTH);
        }

        /** Neither a part of one nor a device made of others, which would count twice. */
        private static boolean isDisk(String name) {
            return Files.exists(Path.of("/sys/block", name))
                    && !name.matches("(dm-|md|loop|ram|zram).*");
        }
    }

    private static Map<Long, Long> switches(Path process) throws IOException {
        Map<Long, Long> switches = new HashMap<>();
        try (Stream<Path> tasks = Files.list(process.resolve("task"))) {
            for (Path task : tasks.toList()) {
                try {
                    switches.put(
                            Long.valueOf(task.getFileName().toString()),
                            number(task.resolve("status"), "voluntary_ctxt_switches:"));
                } catch (IOException e) {
                    // A thread may end at any moment, also between opening the file and reading it.
                    if (Files.exists(task)) {
                        throw e;
                    }
                }
            }
        }
        return switches;
    }

    private static Path directory(long pid) {
        return PROC.resolve(Long.toString(pid));
    }

    private static long number(Path file, String key) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(key)) {
                return Long.parseLong(line.substring(key.length()).replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("no " + key + " in " + file);
    }
}
