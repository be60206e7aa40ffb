package org.metaq.tck;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Main class of a JVM in which tests run. It reads on its standard input which (name of the class,
 * number of methods, names of methods, as a {@link DataInputStream} reads them) and tells on its
 * standard output what happens, as {@link WorkerEvent}s; it ends when its input does.
 */
public final class WorkerMain {
    private WorkerMain() {}

    /**
     * Runs tests until there are no more.
     *
     * @param args directory of the tests' logs; time in milliseconds after which a test is stuck
     */
    public static void main(String[] args) throws IOException {
        DataOutputStream events = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
        TestLog log = new TestLog(Path.of(args[0]));
        log.takeStandardStreams();
        TckLogging.printTo(System.out);
        WorkerListener listener = new WorkerListener(events, log, Long.parseLong(args[1]));
        Launcher launcher = LauncherFactory.create();
        try (DataInputStream commands = new DataInputStream(System.in)) {
            while (true) {
                run(launcher, next(commands), listener);
            }
        } catch (EOFException e) {
            // No more tests. Threads that a test left behind must not keep the JVM.
            Runtime.getRuntime().halt(0);
        }
    }

    private static TestClass next(DataInputStream commands) throws IOException {
        String name = commands.readUTF();
        List<String> methods = new ArrayList<>();
        for (int left = commands.readInt(); left > 0; left--) {
            methods.add(commands.readUTF());
        }
        return new TestClass(name, methods);
    }

    private static void run(Launcher launcher, TestClass tests, WorkerListener listener) {
        List<DiscoverySelector> methods = new ArrayList<>();
        tests.methods()
                .forEach(name -> methods.add(DiscoverySelectors.selectMethod(tests.name(), name)));
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(methods)
                        .configurationParameter(
                                "junit.jupiter.testmethod.order.default",
                                SourceOrder.class.getName())
                        .build(),
                listener);
        listener.classEnded();
    }
}
