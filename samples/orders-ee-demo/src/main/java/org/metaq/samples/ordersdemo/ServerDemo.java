package org.metaq.samples.ordersdemo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.metaq.container.AppServer;
import org.metaq.container.BrokerProcess;
import org.metaq.container.LibertyServer;
import org.metaq.container.Ports;
import org.metaq.container.ServerType;
import org.metaq.container.Trees;

/**
 * Main class of {@code metaq wildfly-demo} and the like for other servers. Exit status: 0 if each
 * order was processed once and nothing is in doubt, 1 if not, 2 for a wrong command line.
 */
public final class ServerDemo {
    private static final int STATUS_FAILED = 1;
    private static final int STATUS_USAGE = 2;
    private static final int ORDERS = 1000;

    /** The demo's own, whatever is on the class path. */
    private static final String LOG_CONFIGURATION =
            "org/metaq/samples/ordersdemo/logback-ordersdemo.xml";

    private ServerDemo() {}

    /** Runs it and ends the process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        String home = System.getProperty("metaq.home");
        if (args.length != 2 || home == null) {
            System.err.println("usage: metaq SERVER-demo DIRECTORY_OF_THE_SERVER");
            System.exit(STATUS_USAGE);
        }
        System.setProperty("logback.configurationFile", LOG_CONFIGURATION);
        ServerType type = ServerType.of(args[0]);
        Path directory = Files.createTempDirectory("metaq-" + args[0] + "-demo-");
        boolean isOk =
                run(type, Path.of(args[1]), Path.of(String.valueOf(home)), directory, System.out);
        if (isOk) {
            Trees.delete(directory);
        } else {
            System.out.println("logs and data are in " + directory);
        }
        System.exit(isOk ? 0 : STATUS_FAILED);
    }

    private static boolean run(
            ServerType type, Path server, Path home, Path directory, PrintStream out)
            throws IOException, InterruptedException {
        Path sample = home.resolve("samples/orders-ee");
        Path rar = only(home.resolve("ra"), "*.rar");
        try (BrokerProcess broker = new BrokerProcess(directory, Ports.free())) {
            broker.start();
            out.println("broker runs on port " + broker.port());
            Path base = directory.resolve("server");
            type.configure(server, base, type.script(sample.resolve("servers"), rar, broker.uri()));
            if (type == ServerType.OPEN_LIBERTY) {
                LibertyServer.addLibrary(base, only(home.resolve("tools"), "h2-*.jar"), "h2.jar");
            }
            out.println("server has " + rar.getFileName());
            try (AppServer running = type.open(server, base)) {
                running.start();
                running.deploy(sample.resolve("orders.war"));
                running.awaitPage("/orders/orders");
                out.println(
                        "orders are taken at http://127.0.0.1:"
                                + running.httpPort()
                                + "/orders/orders");
                return new OrdersFlow(running, broker.uri(), ORDERS, out).run();
            }
        } catch (IOException e) {
            out.println("FAILED: " + e.getMessage());
            return false;
        }
    }

    private static Path only(Path directory, String glob) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, glob)) {
            files.forEach(found::add);
        }
        if (found.size() != 1) {
            throw new IOException("not one " + glob + " in " + directory + ": " + found);
        }
        return found.get(0);
    }
}
