package org.metaq.jms.jndi;

import java.util.Iterator;
import java.util.List;
import javax.naming.NamingEnumeration;

/** A list as JNDI wants it. Confined to its user. */
final class ListedNames<T> implements NamingEnumeration<T> {
    private final Iterator<? extends T> names;

    ListedNames(List<? extends T> names) {
        this.names = names.iterator();
    }

    @Override
    public T next() {
        return names.next();
    }

    @Override
    public boolean hasMore() {
        return names.hasNext();
    }

    @Override
    public boolean hasMoreElements() {
        return hasMore();
    }

    @Override
    public T nextElement() {
        return next();
    }

    /** Does nothing: there is nothing to release. */
    @Override
    public void close() {
        // See above.
    }
}
