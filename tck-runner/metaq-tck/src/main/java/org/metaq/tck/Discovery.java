package org.metaq.tck;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Finds the tests that need no container: those of the packages core and core20. Stateless. */
final class Discovery {
    private static final Logger JUNIT_LOG = Logger.getLogger("org.junit");

    private Discovery() {}

    /**
     * Loads the test classes, but does not initialize them.
     *
     * @param classPath all that they need, but JUnit
     * @return test classes by name, in order
     * @throws TckException if a jar cannot be opened, or there is no test
     */
    static List<TestClass> tests(List<Path> classPath) throws TckException {
        // It warns of what is no test though it is marked as one.
        JUNIT_LOG.setLevel(Level.SEVERE);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(urls(classPath), Discovery.class.getClassLoader())) {
            thread.setContextClassLoader(loader);
            List<TestClass> found = byClass(LauncherFactory.create().discover(request()));
            if (found.isEmpty()) {
                throw new TckException(
                        "no test in "
                                + TestId.ROOT
                                + ".core or .core20 of the jars; the jar of the stand-alone Jakarta"
                                + " Messaging TCK for JUnit 5 is wanted");
            }
            return found;
        } catch (IOException e) {
            throw new TckException("cannot read the TCK: " + e, e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static LauncherDiscoveryRequest request() {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        DiscoverySelectors.selectPackage(TestId.ROOT + ".core"),
                        DiscoverySelectors.selectPackage(TestId.ROOT + ".core20"))
                .build();
    }

    private static URL[] urls(List<Path> files) throws MalformedURLException {
        URL[] urls = new URL[files.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = files.get(i).toUri().toURL();
        }
        return urls;
    }

    private static List<TestClass> byClass(TestPlan plan) {
        TreeMap<String, List<String>> methods = new TreeMap<>();
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier each : plan.getDescendants(root)) {
                if (each.isTest() && each.getSource().orElse(null) instanceof MethodSource source) {
                    methods.computeIfAbsent(source.getClassName(), name -> new ArrayList<>())
                            .add(source.getMethodName());
                }
            }
        }
        List<TestClass> classes = new ArrayList<>();
        methods.forEach((name, list) -> classes.add(new TestClass(name, list)));
        return classes;
    }
}
