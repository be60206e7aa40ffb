package org.metaq.client;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Makes threads that call nothing of the application. Such a thread outlives who happened to cause
 * it, an application on a server for instance, and must not keep that one's class loader alive.
 */
final class OwnThreads {
    private OwnThreads() {}

    /**
     * A daemon thread, not started. Of the thread that makes it, it takes over neither the context
     * class loader, nor inheritable thread locals, nor the classes that were calling.
     */
    // For removal is the security manager, for which each thread still keeps who made it. Without
    // this call that is all classes on the stack.
    @SuppressWarnings("removal")
    static Thread daemon(String name, Runnable work) {
        return AccessController.doPrivileged(
                (PrivilegedAction<Thread>)
                        () -> {
                            Thread made = new Thread(null, work, name, 0, false);
                            made.setDaemon(true);
                            made.setContextClassLoader(OwnThreads.class.getClassLoader());
                            return made;
                        });
    }
}
