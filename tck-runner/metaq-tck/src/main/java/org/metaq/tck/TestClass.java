package org.metaq.tck;

import java.util.List;

/**
 * Tests of one class that are to be run. Immutable.
 *
 * @param name full name of the class
 * @param methods names of its test methods, at least one
 */
record TestClass(String name, List<String> methods) {
    TestClass {
        methods = List.copyOf(methods);
    }

    List<TestId> tests() {
        return methods.stream().map(method -> new TestId(name, method)).toList();
    }
}
