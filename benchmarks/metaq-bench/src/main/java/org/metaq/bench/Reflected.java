package org.metaq.bench;

import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An object of a library that is on the class path of some JVMs only. Immutable. */
record Reflected(Object object) {
    /** One made by the constructor without parameters. */
    static Reflected make(String className) throws ReflectiveOperationException {
        return new Reflected(Class.forName(className).getConstructor().newInstance());
    }

    /**
     * Calls a public method of that name that takes the arguments.
     *
     * @return null if the method returns nothing
     * @throws ReflectiveOperationException if there is none, or it throws something
     */
    @Nullable Object call(String method, Object... arguments) throws ReflectiveOperationException {
        for (Method candidate : object.getClass().getMethods()) {
            if (candidate.getName().equals(method) && takes(candidate, arguments)) {
                return candidate.invoke(object, arguments);
            }
        }
        throw new NoSuchMethodException(
                object.getClass().getName() + "." + method + Arrays.toString(arguments));
    }

    /**
     * As {@link #call}, for a method that returns an object.
     *
     * @throws InvocationTargetException if it returns null
     */
    Reflected get(String method, Object... arguments) throws ReflectiveOperationException {
        Object got = call(method, arguments);
        if (got == null) {
            throw new InvocationTargetException(null, method + " returned nothing");
        }
        return new Reflected(got);
    }

    private static boolean takes(Method method, Object[] arguments) {
        Class<?>[] types = method.getParameterTypes();
        return types.length == arguments.length
                && IntStream.range(0, types.length)
                        .allMatch(
                                i ->
                                        MethodType.methodType(types[i])
                                                .wrap()
                                                .returnType()
                                                .isInstance(arguments[i]));
    }
}
