package org.metaq.jms.jndi;

import java.util.ArrayList;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.InvalidNameException;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.destination.MetaQQueue;
import org.metaq.jms.destination.MetaQTopic;

/**
 * A flat, read-only name space: a name may hold slashes, which mean nothing, but in the two dynamic
 * prefixes. Confined to its user, as JNDI says of contexts.
 */
final class MetaQContext implements Context {
    private static final String DYNAMIC_QUEUES = "dynamicQueues/";
    private static final String DYNAMIC_TOPICS = "dynamicTopics/";
    private static final NameParser PARSER = CompositeName::new;

    private final Map<Object, Object> environment;
    private final Map<String, Object> bindings;

    MetaQContext(Map<Object, Object> environment, Map<String, Object> bindings) {
        this.environment = environment;
        this.bindings = Map.copyOf(bindings);
    }

    @Override
    public Object lookup(String name) throws NamingException {
        return find(name);
    }

    private Object find(String name) throws NamingException {
        if (name.isEmpty()) {
            return new MetaQContext(new LinkedHashMap<>(environment), bindings);
        }
        Object bound = bindings.get(name);
        if (bound != null) {
            return bound;
        }
        try {
            if (name.startsWith(DYNAMIC_QUEUES)) {
                return new MetaQQueue(name.substring(DYNAMIC_QUEUES.length()));
            }
            if (name.startsWith(DYNAMIC_TOPICS)) {
                return new MetaQTopic(name.substring(DYNAMIC_TOPICS.length()));
            }
        } catch (IllegalArgumentException e) {
            InvalidNameException invalid = new InvalidNameException(e.getMessage());
            invalid.initCause(e);
            throw invalid;
        }
        throw new NameNotFoundException(
                "'"
                        + name
                        + "' is not defined: set the property connectionFactory."
                        + name
                        + ", queue."
                        + name
                        + " or topic."
                        + name
                        + ", or look up dynamicQueues/… or dynamicTopics/…");
    }

    @Override
    public Object lookup(Name name) throws NamingException {
        return find(name.toString());
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return find(name);
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return find(name.toString());
    }

    private List<Binding> bindingsOf(String name) throws NamingException {
        if (!name.isEmpty()) {
            find(name);
            throw new NotContextException("'" + name + "' has no names below it");
        }
        List<Binding> list = new ArrayList<>();
        bindings.forEach(
                (key, value) -> list.add(new Binding(key, value.getClass().getName(), value)));
        return list;
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        return new ListedNames<>(bindingsOf(name));
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        return new ListedNames<>(bindingsOf(name.toString()));
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        return new ListedNames<>(bindingsOf(name));
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        return new ListedNames<>(bindingsOf(name.toString()));
    }

    @Override
    public NameParser getNameParser(String name) {
        return PARSER;
    }

    @Override
    public NameParser getNameParser(Name name) {
        return PARSER;
    }

    @Override
    public String composeName(String name, String prefix) throws NamingException {
        return composeName(new CompositeName(name), new CompositeName(prefix)).toString();
    }

    @Override
    public Name composeName(Name name, Name prefix) throws NamingException {
        return ((Name) prefix.clone()).addAll(name);
    }

    /** Changes what {@link #getEnvironment} gives, not what is bound. */
    @Override
    public @Nullable Object addToEnvironment(String propName, Object propVal) {
        return environment.put(propName, propVal);
    }

    @Override
    public @Nullable Object removeFromEnvironment(String propName) {
        return environment.remove(propName);
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    /** Does nothing: a context holds no resources. */
    @Override
    public void close() {
        // See above.
    }

    @Override
    public String getNameInNamespace() {
        return "";
    }

    private static NamingException readOnly(String call, Object name) {
        return new OperationNotSupportedException(
                call
                        + " of '"
                        + name
                        + "': this context is read-only; define names by properties of the initial"
                        + " context");
    }

    @Override
    public void bind(Name name, Object obj) throws NamingException {
        throw readOnly("bind", name);
    }

    @Override
    public void bind(String name, Object obj) throws NamingException {
        throw readOnly("bind", name);
    }

    @Override
    public void rebind(Name name, Object obj) throws NamingException {
        throw readOnly("rebind", name);
    }

    @Override
    public void rebind(String name, Object obj) throws NamingException {
        throw readOnly("rebind", name);
    }

    @Override
    public void unbind(Name name) throws NamingException {
        throw readOnly("unbind", name);
    }

    @Override
    public void unbind(String name) throws NamingException {
        throw readOnly("unbind", name);
    }

    @Override
    public void rename(Name oldName, Name newName) throws NamingException {
        throw readOnly("rename", oldName);
    }

    @Override
    public void rename(String oldName, String newName) throws NamingException {
        throw readOnly("rename", oldName);
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        throw readOnly("destroySubcontext", name);
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        throw readOnly("destroySubcontext", name);
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        throw readOnly("createSubcontext", name);
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        throw readOnly("createSubcontext", name);
    }
}
