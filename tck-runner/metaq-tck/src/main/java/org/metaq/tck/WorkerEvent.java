package org.metaq.tck;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/**
 * What the JVM that runs the tests tells. Immutable.
 *
 * @param method the test's, empty for {@link Kind#CLASS_ENDED}
 * @param timeMs how long the test took, in milliseconds
 * @param reason why it failed, in one line
 * @param trace the stack trace
 */
record WorkerEvent(Kind kind, String method, long timeMs, String reason, String trace) {
    /** What happened; its name goes over the pipe. */
    enum Kind {
        /** A test begins. */
        STARTED,
        /** It passed. */
        PASSED,
        /** It failed. */
        FAILED,
        /** It did not end in its time; the JVM ends now. */
        STUCK,
        /** All tests of the class that can be run were run; with a reason if the class failed. */
        CLASS_ENDED
    }

    /** A UTF string of {@link DataOutputStream} has at most 65,535 bytes, up to 3 for a char. */
    private static final int TEXT_LENGTH_MAX = 20_000;

    WorkerEvent {
        reason = cut(reason);
        trace = cut(trace);
    }

    private static String cut(String text) {
        return text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX);
    }

    static WorkerEvent started(String method) {
        return new WorkerEvent(Kind.STARTED, method, 0, "", "");
    }

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(kind.name());
        out.writeUTF(method);
        out.writeLong(timeMs);
        out.writeUTF(reason);
        out.writeUTF(trace);
        out.flush();
    }

    /** Waits for the next; empty when the JVM has ended. */
    static Optional<WorkerEvent> read(DataInputStream in) throws IOException {
        try {
            Kind kind = Kind.valueOf(in.readUTF());
            return Optional.of(
                    new WorkerEvent(kind, in.readUTF(), in.readLong(), in.readUTF(), in.readUTF()));
        } catch (EOFException e) {
            return Optional.empty();
        }
    }
}
