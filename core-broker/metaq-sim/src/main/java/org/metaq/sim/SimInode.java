package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Content of a simulated file: what is written, and what of it would survive a power loss. For each
 * sector that was written since the last force, every version that the disk may hold is kept.
 */
final class SimInode {
    /** What a disk writes as a whole, bytes. */
    static final int SECTOR = 512;

    private byte[] data = new byte[0];
    private int length;

    /** By sector: its durable content, then each later version. Empty when all is forced. */
    private final Map<Integer, List<byte[]>> unforced = new TreeMap<>();

    /** The durable length, then each later one. */
    private List<Integer> lengths = new ArrayList<>(List.of(0));

    SimInode copy() {
        SimInode copy = new SimInode();
        copy.data = data.clone();
        copy.length = length;
        unforced.forEach(
                (sector, versions) -> copy.unforced.put(sector, new ArrayList<>(versions)));
        copy.lengths = new ArrayList<>(lengths);
        return copy;
    }

    int length() {
        return length;
    }

    boolean isForced() {
        return unforced.isEmpty() && lengths.size() == 1;
    }

    /** Reads until the buffer is full or the file ends; gives how many bytes that were. */
    int read(ByteBuffer to, long position) {
        int available = (int) Math.max(0, Math.min(to.remaining(), length - position));
        if (available > 0) {
            to.put(data, (int) position, available);
        }
        return available;
    }

    void write(byte[] bytes, int offset, int count, int position) {
        if (count == 0) {
            return;
        }
        grow(position + count);
        if (position + count > length) {
            length = position + count;
            lengths.add(length);
        }
        change(position, count, () -> System.arraycopy(bytes, offset, data, position, count));
    }

    void truncate(int newLength) {
        if (newLength >= length) {
            return;
        }
        change(newLength, length - newLength, () -> Arrays.fill(data, newLength, length, (byte) 0));
        length = newLength;
        lengths.add(newLength);
    }

    void extend(int newLength) {
        if (newLength > length) {
            grow(newLength);
            length = newLength;
            lengths.add(newLength);
        }
    }

    void force() {
        unforced.clear();
        lengths = new ArrayList<>(List.of(length));
    }

    /** Damages durable bytes. */
    void flip(int position, int mask) {
        data[position] ^= (byte) mask;
    }

    private void grow(int capacity) {
        int sectors = (capacity + SECTOR - 1) / SECTOR * SECTOR;
        if (sectors > data.length) {
            data = Arrays.copyOf(data, Math.max(sectors, Math.min(data.length * 2, 1 << 26)));
        }
    }

    private void change(int position, int count, Runnable action) {
        int first = position / SECTOR;
        int last = (position + count - 1) / SECTOR;
        for (int sector = first; sector <= last; sector++) {
            List<byte[]> versions = unforced.computeIfAbsent(sector, s -> new ArrayList<>());
            if (versions.isEmpty()) {
                versions.add(sector(sector));
            }
        }
        action.run();
        for (int sector = first; sector <= last; sector++) {
            List<byte[]> versions = unforced.get(sector);
            if (versions != null) {
                versions.add(sector(sector));
            }
        }
    }

    private byte[] sector(int sector) {
        return Arrays.copyOfRange(data, sector * SECTOR, (sector + 1) * SECTOR);
    }

    /** The power fails: each unforced sector, and the length, is any of its versions. */
    void losePower(Random random, Survival survival) {
        unforced.forEach(
                (sector, versions) -> {
                    byte[] kept = versions.get(survival.pick(random, versions.size()));
                    System.arraycopy(kept, 0, data, sector * SECTOR, SECTOR);
                });
        length = lengths.get(survival.pick(random, lengths.size()));
        grow(length);
        Arrays.fill(data, length, data.length, (byte) 0);
        force();
    }

    /** How much of what was not forced a power loss leaves. */
    enum Survival {
        /** Nothing. */
        NONE,
        /** Everything. */
        ALL,
        /** Each piece by chance. */
        SOME,
        /** Most pieces. */
        MOST;

        int pick(Random random, int versions) {
            return switch (this) {
                case NONE -> 0;
                case ALL -> versions - 1;
                case SOME -> random.nextInt(versions);
                case MOST -> random.nextInt(8) == 0 ? random.nextInt(versions) : versions - 1;
            };
        }
    }
}
