package org.metaq.container;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The servers that there are scripts for. */
public enum ServerType {
    /** WildFly; its script is {@code wildfly.cli}. */
    WILDFLY("wildfly.cli", "stop-embedded-server"),
    /** Payara Server; its script is {@code payara.asadmin}. */
    PAYARA("payara.asadmin", ""),
    /** Payara Micro; its script is {@code payara-micro.asadmin}. */
    PAYARA_MICRO("payara-micro.asadmin", ""),
    /** Open Liberty; its script is the server's whole configuration. */
    OPEN_LIBERTY("openliberty-server.xml", "</server>");

    /** What the scripts say, and what is put in its place. */
    private static final String RAR = "metaq-ra.rar";

    private static final String BROKER = "metaq://localhost:8123";

    private final String scriptName;

    /** What a script ends with. */
    private final String end;

    ServerType(String scriptName, String end) {
        this.scriptName = scriptName;
        this.end = end;
    }

    /**
     * The server of a name in lower case, its words with a hyphen between them.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ServerType of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /**
     * The script with the places of this machine.
     *
     * @param scripts directory of the scripts
     * @param rar the resource adapter
     * @param brokerUri where the broker is
     */
    public Script script(Path scripts, Path rar, String brokerUri) throws IOException {
        return Script.of(scripts.resolve(scriptName))
                .with(RAR, rar.toAbsolutePath().toString())
                .with(quoted(BROKER), quoted(brokerUri));
    }

    /** The script with further lines. */
    public Script withMore(Script script, String lines) {
        return end.isEmpty() ? new Script(script.text() + lines) : script.with(end, lines + end);
    }

    /** A URI or URL as the script wants it. */
    public String quoted(String uri) {
        return switch (this) {
            case WILDFLY, OPEN_LIBERTY -> uri;
            case PAYARA -> uri.replace(":", "\\\\:").replace("/", "\\/");
            case PAYARA_MICRO -> uri.replace(":", "\\:");
        };
    }

    /**
     * The H2 database that an unpacked server brings, or that was put there.
     *
     * @throws IOException if there is none
     */
    public Path database(Path home) throws IOException {
        Path directory =
                home.resolve(
                        switch (this) {
                            case WILDFLY -> "modules/system/layers/base/com/h2database/h2/main";
                            case PAYARA -> "h2db/bin";
                            case PAYARA_MICRO -> "MICRO-INF/runtime";
                            case OPEN_LIBERTY -> "usr/" + LibertyServer.LIBRARIES;
                        });
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "h2*.jar")) {
            for (Path jar : jars) {
                return jar;
            }
        }
        throw new IOException("no H2 in " + directory);
    }

    /**
     * Makes the directory of a server and runs the script on it.
     *
     * @param home an unpacked server, which is only read
     * @param directory does not exist
     */
    public void configure(Path home, Path directory, Script script)
            throws IOException, InterruptedException {
        switch (this) {
            case WILDFLY -> WildFlyServer.configure(home, directory, script);
            case PAYARA -> PayaraServer.configure(home, directory, script);
            case PAYARA_MICRO -> PayaraMicroServer.configure(home, directory, script);
            case OPEN_LIBERTY -> LibertyServer.configure(home, directory, script);
        }
    }

    /** A server on a directory that was made by {@link #configure}, or on a copy; not running. */
    public AppServer open(Path home, Path directory) throws IOException {
        return switch (this) {
            case WILDFLY -> new WildFlyServer(home, directory);
            case PAYARA -> new PayaraServer(home, directory);
            case PAYARA_MICRO -> new PayaraMicroServer(home, directory);
            case OPEN_LIBERTY -> new LibertyServer(home, directory);
        };
    }
}
