package org.metaq.crash;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import org.metaq.soak.Actor;

/**
 * What a process is told to do with its points, and what a broker is asked of its branches.
 * Stateless.
 */
final class PointConsole {
    /** Lets go whoever stands at a point. */
    static final String RELEASE = "release";

    /** Before the name of the point that a thread stands at. */
    static final String AT = "at ";

    private static final String OK = "ok ";

    private PointConsole() {}

    /** Tells a process a line; its answer. */
    static String ask(Actor actor, String line) throws IOException, InterruptedException {
        actor.tell(line);
        return actor.await(OK);
    }

    /** Does, in the process, what a line says, if it is for the points or the broker. */
    static boolean take(String line) {
        if (line.equals(RELEASE)) {
            // Without an answer, which could come behind that of the order that goes on.
            Points.release();
            return true;
        }
        try {
            String answer = answer(line);
            if (answer != null) {
                System.out.println(OK + answer);
            }
            return answer != null;
        } catch (JMException e) {
            throw new IllegalStateException("not done: " + line, e);
        }
    }

    private static @Nullable String answer(String line) throws JMException {
        int blank = line.indexOf(' ');
        return switch (blank < 0 ? line : line.substring(0, blank)) {
            case "arm" -> {
                Points.arm(line.substring(blank + 1));
                yield "";
            }
            case "record" -> {
                Points.record();
                yield "";
            }
            case "points" -> String.join(" ", Points.recorded());
            case "leftovers" -> leftovers();
            case "settle" -> settle();
            case "checkpoint" -> String.valueOf(bean("Broker").invoke("checkpoint"));
            default -> null;
        };
    }

    // ---- the broker's beans

    /** Branches that the broker has not finished or forgotten; empty if there are none. */
    private static String leftovers() throws JMException {
        Bean bean = bean("Transactions");
        return count("active", (Integer) bean.get("ActiveCount"))
                + count("prepared", (Integer) bean.get("PreparedCount"))
                + count("by hand", ((CompositeData[]) bean.get("HeuristicOutcomes")).length);
    }

    private static String count(String what, int count) {
        return count == 0 ? "" : count + " " + what + "; ";
    }

    /** Commits the prepared branches by hand. */
    private static String settle() throws JMException {
        Bean bean = bean("Transactions");
        CompositeData[] prepared = (CompositeData[]) bean.get("Prepared");
        for (CompositeData branch : prepared) {
            bean.invoke("commitHeuristically", (String) branch.get("key"));
        }
        return String.valueOf(prepared.length);
    }

    private record Bean(MBeanServer server, ObjectName name) {
        Object get(String attribute) throws JMException {
            return server.getAttribute(name, attribute);
        }

        @Nullable Object invoke(String operation, String... arguments) throws JMException {
            String[] signature = new String[arguments.length];
            Arrays.fill(signature, String.class.getName());
            return server.invoke(name, operation, arguments, signature);
        }
    }

    private static Bean bean(String type) throws MalformedObjectNameException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName pattern = new ObjectName("org.metaq:type=" + type + ",*");
        return new Bean(server, server.queryNames(pattern, null).iterator().next());
    }
}
