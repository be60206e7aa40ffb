package org.metaq.ra.check;

import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/** Names of the server. */
final class Names {
    private Names() {}

    /**
     * What has a name that is known anywhere in the server.
     *
     * @throws NamingException if there is no such name
     */
    // An administrator's name, and no URL: that could load code from elsewhere.
    @SuppressWarnings("BanJNDI")
    static @Nullable Object lookUp(String name) throws NamingException {
        if (name.contains(":") && !name.startsWith("java:")) {
            throw new NamingException("'" + name + "' is no name in this server");
        }
        return InitialContext.doLookup(name);
    }
}
