package org.metaq.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.metaq.sim.SimInode.Survival;
import org.metaq.store.StoreException;
import org.metaq.store.io.StoreDirectory;
import org.metaq.store.io.StoreFile;

/**
 * A disk in memory that promises no more than POSIX does. What was written and not forced may
 * survive a power loss, sector by sector and in any order; a creation, rename or deletion is
 * durable when its directory was forced, and before that each may have happened or not; a rename
 * happens as a whole. Confined to the simulation's thread.
 *
 * <p>Every write, force, truncation, creation, rename and deletion is a numbered <em>crash
 * point</em>, see {@link #failAt}. After a crash, or once {@link #stop} was called, every call
 * throws {@link SimCrash}; {@link #afterPowerLoss} and {@link #afterKill} give the disk that the
 * next process finds.
 */
final class SimDisk implements StoreDirectory {
    /** Where at a crash point the machine stops. */
    enum Phase {
        /** Nothing of the operation was done. */
        BEFORE,
        /** A write stopped at a sector border; other operations: not done. */
        HALF,
        /** The operation was done, its caller never knew. */
        AFTER
    }

    /** A change of the name space that is not durable yet. */
    private record NameChange(
            @Nullable String removed, @Nullable String added, @Nullable SimInode node) {}

    private static final class PendingChange {
        final NameChange change;
        final TreeSet<String> directories = new TreeSet<>();

        PendingChange(NameChange change) {
            this.change = change;
            for (String path : new String[] {change.removed(), change.added()}) {
                if (path != null) {
                    directories.add(parent(path));
                }
            }
        }
    }

    /** Node of a directory; files have nodes of their own. */
    private static final SimInode DIRECTORY = new SimInode();

    private final TreeMap<String, SimInode> names = new TreeMap<>();
    private final TreeMap<String, SimInode> durableNames = new TreeMap<>();
    private final List<PendingChange> pending = new ArrayList<>();

    private long usableBytes = 1L << 40;
    private long points;
    private long failPoint = Long.MAX_VALUE;
    private Phase failPhase = Phase.BEFORE;
    private long fullAtPoint = Long.MAX_VALUE;
    private boolean isDead;
    private String lastPoint = "";

    // ---- control

    /** Crash points passed so far. */
    long points() {
        return points;
    }

    /** The last crash point: what it did to what. */
    String lastPoint() {
        return lastPoint;
    }

    /** Throws {@link SimCrash} at a crash point; points are numbered from 1. */
    void failAt(long point, Phase phase) {
        failPoint = point;
        failPhase = phase;
    }

    /** From this crash point on, writes find the disk full. */
    void fullAt(long point) {
        fullAtPoint = point;
    }

    /** What {@link #usableBytes} tells. */
    void setUsableBytes(long bytes) {
        usableBytes = bytes;
    }

    /** The process is gone: whoever still uses this disk object gets a {@link SimCrash}. */
    void stop() {
        isDead = true;
    }

    /** What the next process finds after this one was killed: all that was written. */
    SimDisk afterKill() {
        isDead = true;
        return copy();
    }

    /** What the next process finds after the power failed. */
    SimDisk afterPowerLoss(Random random) {
        isDead = true;
        SimDisk disk = copy();
        disk.losePower(random);
        return disk;
    }

    /** An independent disk of the same content, forced and not. */
    SimDisk copy() {
        SimDisk copy = new SimDisk();
        IdentityHashMap<SimInode, SimInode> nodes = new IdentityHashMap<>();
        nodes.put(DIRECTORY, DIRECTORY);
        names.forEach((k, v) -> copy.names.put(k, nodes.computeIfAbsent(v, SimInode::copy)));
        durableNames.forEach(
                (k, v) -> copy.durableNames.put(k, nodes.computeIfAbsent(v, SimInode::copy)));
        for (PendingChange each : pending) {
            NameChange change = each.change;
            SimInode node = change.node();
            PendingChange copied =
                    new PendingChange(
                            new NameChange(
                                    change.removed(),
                                    change.added(),
                                    node == null
                                            ? null
                                            : nodes.computeIfAbsent(node, SimInode::copy)));
            copied.directories.clear();
            copied.directories.addAll(each.directories);
            copy.pending.add(copied);
        }
        copy.usableBytes = usableBytes;
        return copy;
    }

    private void losePower(Random random) {
        Survival[] all = Survival.values();
        Survival survival = all[random.nextInt(all.length)];
        TreeMap<String, SimInode> survivors = durableNames;
        for (PendingChange each : pending) {
            if (survival.pick(random, 2) == 1) {
                apply(survivors, each.change);
            }
        }
        pending.clear();
        survivors.keySet().removeIf(path -> !hasParents(survivors, path));
        Set<SimInode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (SimInode node : survivors.values()) {
            if (node != DIRECTORY && seen.add(node)) {
                node.losePower(random, survival);
            }
        }
        names.clear();
        names.putAll(survivors);
    }

    private static boolean hasParents(Map<String, SimInode> tree, String path) {
        for (String up = parent(path); !up.isEmpty(); up = parent(up)) {
            if (tree.get(up) != DIRECTORY) {
                return false;
            }
        }
        return true;
    }

    private static void apply(Map<String, SimInode> tree, NameChange change) {
        if (change.removed() != null) {
            if (change.added() == null || tree.get(change.removed()) == change.node()) {
                tree.remove(change.removed());
            }
        }
        if (change.added() != null && change.node() != null) {
            tree.put(change.added(), change.node());
        }
    }

    /** Damages a byte of a file, as if the disk had. */
    void flip(String path, int position, int mask) {
        node(path).flip(position, mask);
    }

    /** Length of a file, bytes. */
    int lengthOf(String path) {
        return node(path).length();
    }

    /** Paths of all files. */
    List<String> files() {
        return names.entrySet().stream()
                .filter(e -> e.getValue() != DIRECTORY)
                .map(Map.Entry::getKey)
                .toList();
    }

    // ---- crash points

    /** One operation of a process on this disk. */
    private void point(String what, Runnable half, Runnable whole) {
        checkAlive();
        points++;
        lastPoint = what;
        if (points == failPoint) {
            if (failPhase == Phase.HALF) {
                half.run();
            } else if (failPhase == Phase.AFTER) {
                whole.run();
            }
            isDead = true;
            throw new SimCrash("crash point " + points + " " + failPhase + ": " + what);
        }
        whole.run();
    }

    private void checkAlive() {
        if (isDead) {
            throw new SimCrash("the process is gone");
        }
    }

    private void checkSpace(String path) {
        if (points + 1 >= fullAtPoint) {
            throw new StoreException(
                    StoreException.Kind.DISK_FULL, "no space left for " + path + " (simulated)");
        }
    }

    private void change(String what, @Nullable String removed, @Nullable String added) {
        SimInode node = added == null ? null : removed == null ? new SimInode() : node(removed);
        change(what, new NameChange(removed, added, node));
    }

    private void change(String what, NameChange change) {
        point(
                what,
                () -> {},
                () -> {
                    apply(names, change);
                    pending.add(new PendingChange(change));
                });
    }

    private SimInode node(String path) {
        SimInode node = names.get(path);
        if (node == null || node == DIRECTORY) {
            throw new StoreException(StoreException.Kind.IO, "there is no file " + path);
        }
        return node;
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    // ---- StoreDirectory

    @Override
    public StoreFile open(String path) {
        checkAlive();
        SimInode node = names.get(path);
        if (node == DIRECTORY) {
            throw new StoreException(StoreException.Kind.IO, path + " is a directory");
        }
        if (node == null) {
            if (!hasParents(names, path)) {
                throw new StoreException(StoreException.Kind.IO, "no directory for " + path);
            }
            checkSpace(path);
            change("create " + path, null, path);
        }
        return new SimFile(path, node(path));
    }

    @Override
    public boolean exists(String path) {
        checkAlive();
        return path.isEmpty() || names.containsKey(path);
    }

    @Override
    public List<String> list(String path) {
        checkAlive();
        String prefix = path.isEmpty() ? "" : path + "/";
        List<String> entries = new ArrayList<>();
        for (String name : names.tailMap(prefix).keySet()) {
            if (!name.startsWith(prefix)) {
                break;
            }
            if (name.indexOf('/', prefix.length()) < 0) {
                entries.add(name.substring(prefix.length()));
            }
        }
        return entries;
    }

    @Override
    public void createDirectories(String path) {
        checkAlive();
        if (path.isEmpty() || names.get(path) == DIRECTORY) {
            return;
        }
        createDirectories(parent(path));
        change("mkdir " + path, new NameChange(null, path, DIRECTORY));
    }

    @Override
    public void rename(String from, String to) {
        change("rename " + from + " to " + to, from, to);
    }

    @Override
    public void delete(String path) {
        checkAlive();
        if (!names.containsKey(path)) {
            return;
        }
        for (String below : list(path)) {
            delete(path + "/" + below);
        }
        change("delete " + path, path, null);
    }

    @Override
    public void forceDirectory(String path) {
        checkAlive();
        if (!path.isEmpty() && names.get(path) != DIRECTORY) {
            throw new StoreException(StoreException.Kind.IO, "there is no directory " + path);
        }
        point(
                "force directory " + path,
                () -> {},
                () ->
                        pending.removeIf(
                                each -> {
                                    each.directories.remove(path);
                                    boolean isDurable = each.directories.isEmpty();
                                    if (isDurable) {
                                        apply(durableNames, each.change);
                                    }
                                    return isDurable;
                                }));
    }

    @Override
    public long usableBytes() {
        checkAlive();
        return usableBytes;
    }

    @Override
    public String description() {
        return "the simulated disk";
    }

    /** An open file. */
    private final class SimFile implements StoreFile {
        private final String path;
        private final SimInode node;
        private boolean isClosed;

        SimFile(String path, SimInode node) {
            this.path = path;
            this.node = node;
        }

        private void check() {
            checkAlive();
            if (isClosed) {
                throw new StoreException(StoreException.Kind.IO, path + " is closed");
            }
        }

        @Override
        public String path() {
            return path;
        }

        @Override
        public long length() {
            check();
            return node.length();
        }

        @Override
        public int read(ByteBuffer to, long position) {
            check();
            return node.read(to, position);
        }

        @Override
        public void write(ByteBuffer from, long position) {
            check();
            byte[] bytes = new byte[from.remaining()];
            from.get(bytes);
            write(bytes, Math.toIntExact(position));
        }

        @Override
        public void write(ByteBuffer[] from, long position) {
            check();
            int total = 0;
            for (ByteBuffer each : from) {
                total += each.remaining();
            }
            ByteBuffer all = ByteBuffer.allocate(total);
            for (ByteBuffer each : from) {
                all.put(each);
            }
            write(all.array(), Math.toIntExact(position));
        }

        private void write(byte[] bytes, int position) {
            checkSpace(path);
            int border = (position + bytes.length / 2) / SimInode.SECTOR * SimInode.SECTOR;
            int half = Math.max(0, border - position);
            point(
                    "write " + path + " " + position + "+" + bytes.length,
                    () -> node.write(bytes, 0, half, position),
                    () -> node.write(bytes, 0, bytes.length, position));
        }

        @Override
        public void force(boolean metadata) {
            check();
            point("force " + path, () -> {}, node::force);
        }

        @Override
        public void truncate(long length) {
            check();
            if (length < node.length()) {
                point(
                        "truncate " + path + " to " + length,
                        () -> {},
                        () -> node.truncate(Math.toIntExact(length)));
            }
        }

        @Override
        public void preallocate(long length) {
            check();
            checkSpace(path);
            point(
                    "preallocate " + path + " " + length,
                    () -> node.extend(Math.toIntExact(length)),
                    () -> {
                        node.extend(Math.toIntExact(length));
                        node.force();
                    });
        }

        @Override
        public java.nio.channels.@Nullable FileChannel channel() {
            return null;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
