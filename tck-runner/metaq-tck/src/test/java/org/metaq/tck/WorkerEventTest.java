package org.metaq.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class WorkerEventTest {
    private static DataInputStream pipe(WorkerEvent... events) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (WorkerEvent event : events) {
            event.write(new DataOutputStream(bytes));
        }
        return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    }

    @Test
    void shouldComeOutOfThePipeAsItWentIn() throws IOException {
        WorkerEvent started = WorkerEvent.started("a");
        WorkerEvent failed =
                new WorkerEvent(WorkerEvent.Kind.FAILED, "a", 1234, "why: é", "at x\nat y");
        DataInputStream in = pipe(started, failed);

        assertThat(WorkerEvent.read(in)).contains(started);
        assertThat(WorkerEvent.read(in)).contains(failed);
        assertThat(WorkerEvent.read(in)).as("the JVM has ended").isEmpty();
    }

    @Test
    void shouldCutATraceThatIsTooLongForThePipe() throws IOException {
        WorkerEvent event =
                new WorkerEvent(WorkerEvent.Kind.FAILED, "a", 1, "", "\uFFFD".repeat(100_000));

        assertThat(WorkerEvent.read(pipe(event)))
                .get()
                .satisfies(read -> assertThat(read.trace()).hasSize(20_000));
    }
}
