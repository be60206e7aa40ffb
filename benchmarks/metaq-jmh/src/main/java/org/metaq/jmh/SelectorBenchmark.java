package org.metaq.jmh;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.metaq.protocol.Envelope;
import org.metaq.protocol.EnvelopeView;
import org.metaq.selector.Selector;
import org.metaq.selector.SelectorSyntaxException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a selector cost to compile, when a consumer opens, and to evaluate, for each message
 * that it looks at? The message has five properties and is read from its envelope's bytes, as the
 * broker does.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class SelectorBenchmark {
    /** The selector. */
    @Param({
        "number = 17",
        "region = 'EU' AND amount > 100",
        "kind IN ('A', 'B', 'C') AND name LIKE 'order-%-x' OR JMSPriority BETWEEN 7 AND 9"
    })
    public String text = "";

    private final ByteBuffer envelope = envelope();
    private Selector selector;

    /** Compiles the selector that is evaluated. */
    @Setup
    public void prepare() throws SelectorSyntaxException {
        selector = Selector.parse(text);
    }

    /** When a consumer opens. */
    @Benchmark
    public Selector compile() throws SelectorSyntaxException {
        return Selector.parse(text);
    }

    /** For each message. */
    @Benchmark
    public boolean evaluate() {
        EnvelopeView view = new EnvelopeView(envelope);
        return selector.matches(view::value);
    }

    private static ByteBuffer envelope() {
        Map<String, Object> properties =
                Map.of(
                        "number",
                        17,
                        "region",
                        "EU",
                        "amount",
                        99.5,
                        "kind",
                        "D",
                        "name",
                        "order-4711-y");
        Envelope message =
                new Envelope(
                        Envelope.BodyType.TEXT,
                        2,
                        4,
                        1_700_000_000_000L,
                        0,
                        0,
                        "ID:0-1-1-1-1",
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        properties);
        return ByteBuffer.wrap(message.encode());
    }
}
