package org.metaq.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux tells about a process in {@code /proc}. Stateless. */
final class ProcessStats {
    private static final Path PROC = Path.of("/proc");
    private static final int FIELDS_BEFORE_UTIME = 11;

    /** Milliseconds of a clock tick of {@code /proc}: always 1/100 s in user space. */
    private static final long TICK_MS = 10;

    private ProcessStats() {}

    /** Processor time so far in milliseconds, in steps of 10 ms. */
    static long cpuMs(long pid) throws IOException {
        String stat = Files.readString(file(pid, "stat"));
        // The name in parentheses may hold blanks.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return TICK_MS
                * (Long.parseLong(fields[FIELDS_BEFORE_UTIME])
                        + Long.parseLong(fields[FIELDS_BEFORE_UTIME + 1]));
    }

    /** Its highest resident memory so far. */
    static long peakRssBytes(long pid) throws IOException {
        return number(pid, "status", "VmHWM:") * 1024;
    }

    /** Its resident memory. */
    static long rssBytes(long pid) throws IOException {
        return number(pid, "status", "VmRSS:") * 1024;
    }

    /**
     * Bytes that it has handed to write calls, of files and sockets alike; unlike those of the
     * disk, they depend on nothing else that runs.
     */
    static long writtenBytes(long pid) throws IOException {
        return number(pid, "io", "wchar:");
    }

    private static Path file(long pid, String name) {
        return PROC.resolve(Long.toString(pid)).resolve(name);
    }

    private static long number(long pid, String file, String key) throws IOException {
        for (String line : Files.readAllLines(file(pid, file))) {
            if (line.startsWith(key)) {
                return Long.parseLong(line.substring(key.length()).replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("no " + key + " in " + file(pid, file));
    }
}
