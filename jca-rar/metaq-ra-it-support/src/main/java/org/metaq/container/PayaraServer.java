package org.metaq.container;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A Payara Server. Its domain is a copy of the {@code domain1} of an unpacked server, which itself
 * is only read.
 */
public final class PayaraServer extends AppServer {
    private static final String DOMAIN = "domain1";

    /** Command line of the server's JVM, a word a line. */
    private static final String LAUNCH = "launch.txt";

    /** How a domain was made: ports, and its directory then. */
    private static final String MADE = "made.properties";

    /** How the operand of a command is called in a request. */
    private static final String OPERAND = "DEFAULT";

    private static final String HTTP_PORT = "http-port";
    private static final String ADMIN_PORT = "admin-port";
    private static final String DIRECTORY = "directory";

    /** Ports of the copied domain that are given new numbers, beside those of HTTP and asadmin. */
    private static final List<String> OTHER_PORTS = List.of("8181", "3700", "3820", "3920", "8686");

    private final Path home;
    private final Path domains;
    private final Properties made;

    /**
     * A server that does not run.
     *
     * @param home an unpacked Payara
     * @param domains directory of its domain, see {@link #configure}
     */
    public PayaraServer(Path home, Path domains) throws IOException {
        super(domains.toAbsolutePath(), domains.toAbsolutePath().resolve("console.log"));
        this.home = home.toAbsolutePath();
        this.domains = domains.toAbsolutePath();
        this.made = new Properties();
        try (Reader in = Files.newBufferedReader(this.domains.resolve(MADE))) {
            made.load(in);
        }
    }

    /**
     * Makes a domain and runs a file of {@code asadmin} commands on it.
     *
     * @param domains does not exist
     * @throws IOException if a command fails; the message has the output
     */
    public static void configure(Path home, Path domains, Script script)
            throws IOException, InterruptedException {
        Trees.copy(home.resolve("glassfish/domains/" + DOMAIN), domains.resolve(DOMAIN));
        Properties made = new Properties();
        made.setProperty(HTTP_PORT, Integer.toString(Ports.free()));
        made.setProperty(ADMIN_PORT, Integer.toString(Ports.free()));
        made.setProperty(DIRECTORY, domains.toAbsolutePath().toString());
        try (Writer out = Files.newBufferedWriter(domains.resolve(MADE))) {
            made.store(out, null);
        }
        moveToFreeLoopbackPorts(domains.resolve(DOMAIN).resolve("config/domain.xml"), made);
        PayaraServer server = new PayaraServer(home, domains);
        server.writeLaunch();
        try (server) {
            server.start();
            Path file = script.writeTo(domains.resolve("setup.asadmin")).toAbsolutePath();
            String said = server.asadmin("multimode", "--file", file.toString());
            // A failed command does not fail the whole file.
            if (said.contains(" failed")) {
                throw new IOException("a command failed:\n" + said);
            }
            server.stop();
        }
    }

    /** Keeps the command line of the server's JVM, so that each start needs one JVM and not two. */
    private void writeLaunch() throws IOException, InterruptedException {
        String said =
                asadmin("start-domain", "--dry-run", "--domaindir", domains.toString(), DOMAIN);
        List<String> lines = said.lines().filter(line -> !line.isBlank()).toList();
        // Between a heading and "Command start-domain executed".
        Files.write(domains.resolve(LAUNCH), lines.subList(1, lines.size() - 1));
    }

    private static void moveToFreeLoopbackPorts(Path domainXml, Properties made)
            throws IOException {
        String all = Files.readString(domainXml);
        String server = serverPart(all);
        String moved = server.replace("address=\"0.0.0.0\"", "address=\"127.0.0.1\"");
        moved = moved.replace("<network-listener ", "<network-listener address=\"127.0.0.1\" ");
        moved = moved.replace("port=\"8080\"", "port=\"" + made.getProperty(HTTP_PORT) + "\"");
        moved = moved.replace("port=\"4848\"", "port=\"" + made.getProperty(ADMIN_PORT) + "\"");
        for (String port : OTHER_PORTS) {
            moved = moved.replace("port=\"" + port + "\"", "port=\"" + Ports.free() + "\"");
        }
        StringBuilder options = new StringBuilder();
        for (String option : JVM_OPTIONS) {
            options.append("<jvm-options>").append(option).append("</jvm-options>\n");
        }
        moved = moved.replace("<jvm-options>-Xmx512m</jvm-options>", options);
        moved =
                moved.replace(
                        "<hazelcast-config-specific-configuration>",
                        "<hazelcast-config-specific-configuration enabled=\"false\">");
        Files.writeString(domainXml, all.replace(server, moved));
    }

    /** The configuration of the domain's own server; a template for others follows it. */
    private static String serverPart(String domainXml) {
        int start = domainXml.indexOf("<config name=\"server-config\"");
        int end = domainXml.indexOf("</config>", start);
        if (start < 0 || end < 0) {
            throw new IllegalArgumentException("no server-config in domain.xml");
        }
        return domainXml.substring(start, end + "</config>".length());
    }

    @Override
    List<String> command() throws IOException {
        String then = made.getProperty(DIRECTORY);
        List<String> command = new ArrayList<>();
        for (String argument : Files.readAllLines(domains.resolve(LAUNCH))) {
            command.add(argument.replace(then, domains.toString()));
        }
        return command;
    }

    @Override
    String input() {
        return "AS_ADMIN_MASTERPASSWORD=changeit\n"; // what an unpacked server has
    }

    @Override
    boolean isStarted(LogTail said) {
        return said.contains("startup time :");
    }

    @Override
    public void deploy(Path archive) throws IOException, InterruptedException {
        admin(
                "deploy",
                "force",
                "true",
                "name",
                name(archive.getFileName().toString()),
                OPERAND,
                archive.toAbsolutePath().toString());
    }

    @Override
    public void undeploy(String name) throws IOException, InterruptedException {
        admin("undeploy", OPERAND, name(name));
    }

    @Override
    public void restart(int times, String... names) throws IOException, InterruptedException {
        for (int i = 0; i < times; i++) {
            disable(names);
            for (int j = names.length - 1; j >= 0; j--) {
                admin("enable", OPERAND, name(names[j]));
            }
        }
    }

    @Override
    public void disable(String... names) throws IOException, InterruptedException {
        for (String name : names) {
            admin("disable", OPERAND, name(name));
        }
    }

    /** Has the server run a command as {@code asadmin} does, without a JVM for it. */
    private void admin(String command, String... parameters)
            throws IOException, InterruptedException {
        StringBuilder uri = new StringBuilder("http://127.0.0.1:");
        uri.append(made.getProperty(ADMIN_PORT)).append("/__asadmin/").append(command);
        for (int i = 0; i < parameters.length; i += 2) {
            uri.append(i == 0 ? '?' : '&').append(parameters[i]).append('=');
            uri.append(URLEncoder.encode(parameters[i + 1], StandardCharsets.UTF_8));
        }
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(uri.toString()))
                        .header("X-Requested-By", "metaq")
                        .header("Accept", "application/json")
                        .timeout(DEPLOY_MAX)
                        .build();
        String answer = send(request).body();
        if (!answer.contains("\"exit_code\":\"SUCCESS\"")) {
            throw new IOException(command + " " + List.of(parameters) + ": " + answer);
        }
    }

    private static String name(String fileName) {
        return fileName.replaceFirst("\\.[^.]+$", "");
    }

    /** Runs a command of {@code asadmin}. */
    public String asadmin(String... arguments) throws IOException, InterruptedException {
        List<String> command = Command.java(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
        command.addAll(
                List.of("-jar", home.resolve("glassfish/lib/client/appserver-cli.jar").toString()));
        command.addAll(List.of("--port", made.getProperty(ADMIN_PORT)));
        command.addAll(List.of(arguments));
        return Command.run(command, domains, START_MAX);
    }

    @Override
    public int httpPort() {
        return Integer.parseInt(made.getProperty(HTTP_PORT));
    }

    @Override
    public int adminPort() {
        return Integer.parseInt(made.getProperty(ADMIN_PORT));
    }
}
