package org.metaq.server;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.concurrent.Callable;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Main class of {@code metaq ra-selfcheck}: has the resource adapter in an application server on
 * this machine check itself, over the JMX that each JVM offers its own user, and prints its report.
 * Exit status: 0 if all is well, 1 if something failed, 2 for a wrong command line, 3 if all is
 * well but recovery was not seen yet.
 */
@Command(
        name = "ra-selfcheck",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Sees whether transactions and recovery work in an application server of the same"
                        + " user on this machine.")
public final class RaSelfCheckMain implements Callable<Integer> {
    private static final String ADAPTERS = "org.metaq.ra:type=ResourceAdapter,*";

    @Option(
            names = "--pid",
            required = true,
            paramLabel = "PID",
            description = "Process id of the application server, see jps.")
    private String pid = "";

    @Parameters(
            paramLabel = "FACTORY",
            description =
                    "JNDI name of a connection factory of the resource adapter in the server, such"
                            + " as java:/jms/metaq.")
    private String factory = "";

    private RaSelfCheckMain() {}

    /** Checks and ends the process. */
    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Checks; the exit status. */
    static int execute(String... args) {
        return new CommandLine(new RaSelfCheckMain()).execute(args);
    }

    // The address is what the process itself says that its user reaches it at.
    @SuppressWarnings("BanJNDI")
    @Override
    public Integer call() {
        try (JMXConnector connector = JMXConnectorFactory.connect(address())) {
            String report = check(connector.getMBeanServerConnection());
            System.out.println(report);
            return report.contains("SELF-CHECK OK")
                    ? 0
                    : report.contains("SELF-CHECK WAITING") ? 3 : 1;
        } catch (IOException
                | AttachNotSupportedException
                | JMException
                | RuntimeMBeanException e) {
            System.err.println("metaq ra-selfcheck: process " + pid + ": " + e);
            return 1;
        }
    }

    /** Where the process offers JMX to its own user, which it does when it is asked to. */
    private JMXServiceURL address() throws IOException, AttachNotSupportedException {
        VirtualMachine machine = VirtualMachine.attach(pid);
        try {
            return new JMXServiceURL(machine.startLocalManagementAgent());
        } finally {
            machine.detach();
        }
    }

    /**
     * By any adapter: WildFly has several, if applications define factories, and each checks all.
     */
    private String check(MBeanServerConnection server) throws IOException, JMException {
        ObjectName name =
                server.queryNames(new ObjectName(ADAPTERS), null).stream()
                        .min(ObjectName::compareTo)
                        .orElseThrow(
                                () ->
                                        new IOException(
                                                "no resource adapter of MetaQ is there: deploy it,"
                                                        + " or wait until the server has started"));
        return (String)
                server.invoke(
                        name,
                        "selfCheck",
                        new Object[] {factory},
                        new String[] {String.class.getName()});
    }
}
