package org.metaq.crash;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.jspecify.annotations.Nullable;
import org.metaq.soak.Console;

/**
 * Java agent of the processes that are killed: has the methods of a branch's way call {@link
 * Points}, from the resource that the transaction manager calls down to the broker's journal, and
 * starts the {@link PointConsole}. It can also put a {@link Fault} into the broker.
 */
public final class PointAgent {
    static final String ENTER = "enter";
    static final String EXIT = "exit";

    /** A fault that is put into the broker on purpose. */
    enum Fault {
        NONE,
        /** Outcomes of finished branches are not remembered. */
        NO_OUTCOMES,
        /** Prepare is answered, and its record is not written. */
        NO_PREPARE,
        /** A scan leaves branches out. */
        NO_SCAN
    }

    private PointAgent() {}

    /** Called by the JVM before {@code main}. */
    public static void premain(@Nullable String fault, Instrumentation instrumentation) {
        AgentBuilder builder =
                new AgentBuilder.Default()
                        .disableClassFormatChanges()
                        .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly());
        builder = worker(builder);
        builder = broker(builder);
        builder = plant(builder, Fault.valueOf(fault == null ? Fault.NONE.name() : fault));
        builder.installOn(instrumentation);
        Console.start(PointConsole::take);
    }

    private static AgentBuilder worker(AgentBuilder to) {
        AgentBuilder builder =
                points(
                        to,
                        "org.metaq.jms.xa.MetaQXAResource",
                        named("start")
                                .or(named("end"))
                                .or(named("prepare"))
                                .or(named("commit"))
                                .or(named("rollback"))
                                .or(named("forget"))
                                .or(named("recover")));
        builder = points(builder, "org.metaq.client.FrameWriter", named("put").or(named("defer")));
        for (String kind : new String[] {"Caller", "Future", "Handler", "Nobody"}) {
            builder = points(builder, "org.metaq.client.PendingReply$Of" + kind, named("answered"));
        }
        return builder;
    }

    private static AgentBuilder broker(AgentBuilder to) {
        AgentBuilder builder = points(to, "org.metaq.broker.Commands", named("dispatch"));
        builder =
                points(
                        builder,
                        "org.metaq.server.NettyLink",
                        named("result")
                                .or(named("value"))
                                .or(named("deliveries"))
                                .or(named("send")));
        builder =
                points(
                        builder,
                        "org.metaq.store.journal.FileJournal",
                        named("append").or(named("write")).or(named("force")));
        return points(
                builder,
                "org.metaq.broker.state.BrokerState",
                named("apply").and(takesArguments(3)));
    }

    private static AgentBuilder plant(AgentBuilder to, Fault fault) {
        return switch (fault) {
            case NONE -> to;
            case NO_OUTCOMES ->
                    advise(to, "org.metaq.broker.state.Outcomes", named("add"), Skipped.class);
            case NO_PREPARE ->
                    advise(
                            to,
                            "org.metaq.store.journal.FileJournal",
                            named("writeBytes"),
                            Unprepared.class);
            case NO_SCAN ->
                    advise(to, "org.metaq.broker.Transactions", named("recover"), Emptied.class);
        };
    }

    private static AgentBuilder points(
            AgentBuilder to, String type, ElementMatcher<? super MethodDescription> methods) {
        return advise(to, type, methods, Around.class);
    }

    private static AgentBuilder advise(
            AgentBuilder to,
            String type,
            ElementMatcher<? super MethodDescription> methods,
            Class<?> advice) {
        return to.type(named(type))
                .transform(
                        (builder, description, loader, module, domain) ->
                                builder.visit(Advice.to(advice).on(methods)));
    }

    /** Copied into the methods that have points. */
    static final class Around {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Origin("#t.#m") String method,
                @Advice.This Object self,
                @Advice.AllArguments Object[] arguments) {
            Points.around(method, self, arguments, "enter");
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(
                @Advice.Origin("#t.#m") String method,
                @Advice.This Object self,
                @Advice.AllArguments Object[] arguments) {
            Points.around(method, self, arguments, "exit");
        }
    }

    /** Copied into a method that does nothing then. */
    static final class Skipped {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }
    }

    /** Copied into a method that does nothing then while a prepare waits to be written. */
    static final class Unprepared {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return Points.isPrepareWaiting();
        }
    }

    /** Copied into {@code recover}: asks for branches with a qualifier that none has. */
    static final class Emptied {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) String qualifier) {
            qualifier = "of nobody";
        }
    }

    /** Writes the jar that {@code -javaagent} wants; the classes are on the class path. */
    static void writeJar(Path file) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", PointAgent.class.getName());
        try (OutputStream out = Files.newOutputStream(file)) {
            new JarOutputStream(out, manifest).close();
        }
    }
}
