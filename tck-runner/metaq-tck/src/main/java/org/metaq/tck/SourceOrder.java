package org.metaq.tck;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;

/**
 * Runs the tests of a class in the order in which they are written. Some of the TCK leave a durable
 * subscription behind, which those written after them do not mind and others do.
 */
public final class SourceOrder implements MethodOrderer {
    /** Called by JUnit. */
    public SourceOrder() {}

    @Override
    public void orderMethods(MethodOrdererContext context) {
        List<String> names = names(context.getTestClass());
        // Inherited ones have no place: they come first.
        context.getMethodDescriptors()
                .sort(Comparator.comparingInt(each -> names.indexOf(each.getMethod().getName())));
    }

    private static List<String> names(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (@Nullable InputStream in = type.getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException("there is no " + file);
            }
            return ClassFileMethods.read(new DataInputStream(in));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the class file of " + type.getName(), e);
        }
    }
}
