package org.metaq.bench;

import java.lang.reflect.InvocationTargetException;

/**
 * Main class of the JVM of an Artemis broker, which is on the class path there and nowhere else.
 * Argument: URL of its broker.xml.
 */
public final class ArtemisMain {
    private static final String BROKER =
            "org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ";

    private ArtemisMain() {}

    /** Runs the broker until it is told to stop. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Class<?> type = Class.forName(BROKER);
        Object broker = type.getConstructor().newInstance();
        type.getMethod("setConfigResourcePath", String.class).invoke(broker, args[0]);
        type.getMethod("start").invoke(broker);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker), "stop"));
        System.out.println(EmbeddedPeer.READY);
        System.out.flush();
    }

    private static void stop(Object broker) {
        try {
            broker.getClass().getMethod("stop").invoke(broker);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            System.err.println("the broker does not stop: " + e);
        }
    }
}
