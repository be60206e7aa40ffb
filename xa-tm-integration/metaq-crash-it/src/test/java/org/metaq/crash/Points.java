package org.metaq.crash;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.RecordType;

/**
 * The named points of this process, at which its parent may have it killed. A thread that reaches
 * the point that is armed tells so on the standard output and stays there until it is released;
 * other threads go on. Public for the code that {@link PointAgent} adds to other classes.
 * Thread-safe.
 */
public final class Points {
    private static final Object LOCK = new Object();

    // Guarded by the lock.
    private static final Set<String> RECORDED = new LinkedHashSet<>();
    private static boolean isRecording;
    private static @Nullable String armed;
    private static CountDownLatch release = new CountDownLatch(1);

    private Points() {}

    /** Called on entry to and exit from the methods that have points. */
    public static void around(
            String method, Object self, @Nullable Object[] arguments, String where) {
        for (String name : PointNames.of(method, self, arguments, where)) {
            reached(name + ':' + where);
        }
    }

    /** Whether a prepare was appended to the journal and is not written; on its thread. */
    public static boolean isPrepareWaiting() {
        return PointNames.isUnwritten(RecordType.PREPARE);
    }

    private static void reached(String point) {
        CountDownLatch mine;
        synchronized (LOCK) {
            if (isRecording) {
                RECORDED.add(point);
            }
            if (!point.equals(armed)) {
                return;
            }
            armed = null;
            mine = release;
        }
        System.out.println(PointConsole.AT + point);
        awaitRelease(mine);
    }

    private static void awaitRelease(CountDownLatch latch) {
        boolean isInterrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next thread that reaches the point stays there. */
    static void arm(String point) {
        synchronized (LOCK) {
            armed = point;
            release = new CountDownLatch(1);
        }
    }

    /** Lets go whoever stands at a point, and arms none. */
    static void release() {
        synchronized (LOCK) {
            armed = null;
            release.countDown();
        }
    }

    /** Starts to note the points that are reached. */
    static void record() {
        synchronized (LOCK) {
            isRecording = true;
            RECORDED.clear();
        }
    }

    /** Stops noting; the points since then, in order of their first time. */
    static Set<String> recorded() {
        synchronized (LOCK) {
            isRecording = false;
            return new LinkedHashSet<>(RECORDED);
        }
    }
}
