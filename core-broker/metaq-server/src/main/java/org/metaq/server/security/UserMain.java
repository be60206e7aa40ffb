package org.metaq.server.security;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metaq.server.config.ConfigException;
import org.metaq.server.config.ConfigFile;
import org.metaq.server.config.ServerConfig;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Main class of {@code metaq user}: edits the users file of a broker. Exit status: 0 if it was
 * done, 1 if not, 2 for a wrong command line. A running broker reads the file at its next reload.
 */
@Command(
        name = "user",
        mixinStandardHelpOptions = true,
        subcommands = {UserMain.Add.class, UserMain.Remove.class, UserMain.ListUsers.class},
        description = "Edits the users file of a broker; `metaq reload` has it read again.")
public final class UserMain {
    private UserMain() {}

    /** Edits and ends the process. */
    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Edits; the exit status. */
    static int execute(String... args) {
        CommandLine line = new CommandLine(new UserMain());
        line.setExecutionExceptionHandler(
                (failure, where, parsed) -> {
                    if (failure instanceof ConfigException
                            || failure instanceof IllegalArgumentException
                            || failure instanceof IOException) {
                        System.err.println("metaq user: " + failure.getMessage());
                        return 1;
                    }
                    throw failure;
                });
        return line.execute(args);
    }

    /** Which file. */
    static final class Place {
        @Option(names = "--users", paramLabel = "FILE", description = "The users file.")
        private @Nullable Path users;

        @Option(
                names = "--config",
                paramLabel = "FILE",
                description = "A server.ini, whose key `users` names the users file.")
        private @Nullable Path config;

        Path file() {
            if (users != null) {
                return users;
            }
            if (config == null) {
                throw new IllegalArgumentException("--users FILE or --config FILE is needed");
            }
            ServerConfig read = ServerConfig.builder().file(ConfigFile.read(config)).build();
            Path named = read.security().users();
            if (named == null) {
                throw new IllegalArgumentException(
                        config + " has no key users; set it in [system], or give --users FILE");
            }
            return named;
        }
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = "Adds a user, or gives one another password.")
    static final class Add implements Callable<Integer> {
        @ArgGroup(multiplicity = "1")
        private Place place = new Place();

        @Parameters(paramLabel = "USER", description = "Name of the user.")
        private String user = "";

        @Option(
                names = "--password-file",
                paramLabel = "FILE",
                description =
                        "File whose first line is the password. Without it the console is asked;"
                                + " without a console the first line of the standard input is read.")
        private @Nullable Path passwordFile;

        @Option(
                names = "--iterations",
                paramLabel = "N",
                defaultValue = "" + PasswordHash.ITERATIONS_DEFAULT,
                description = "How slow the hash is; default: ${DEFAULT-VALUE}.")
        private int iterations = PasswordHash.ITERATIONS_DEFAULT;

        @Override
        public Integer call() throws IOException {
            UsersFile.checkName(user);
            if (iterations < 1 || iterations > PasswordHash.ITERATIONS_MAX) {
                throw new IllegalArgumentException(
                        "--iterations must be 1.." + PasswordHash.ITERATIONS_MAX);
            }
            Path file = place.file();
            char[] password = password();
            if (password.length == 0) {
                throw new IllegalArgumentException("the password must not be empty");
            }
            UsersFile.put(file, user, PasswordHash.of(password, iterations));
            Arrays.fill(password, ' ');
            System.out.println("user " + user + " is in " + file);
            return 0;
        }

        // from Java 22 on there always is a console; it reads a redirected input all the same
        @SuppressWarnings("SystemConsoleNull")
        private char[] password() throws IOException {
            Path from = passwordFile;
            if (from != null) {
                try (BufferedReader reader = Files.newBufferedReader(from)) {
                    return firstLine(reader);
                }
            }
            Console console = System.console();
            if (console == null) {
                return firstLine(
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8)));
            }
            char[] first = console.readPassword("password of %s: ", user);
            char[] second = console.readPassword("once more: ");
            if (first == null || second == null || !Arrays.equals(first, second)) {
                throw new IllegalArgumentException("the two are not the same; nothing was changed");
            }
            return first;
        }

        private static char[] firstLine(BufferedReader reader) throws IOException {
            String line = reader.readLine();
            return line == null ? new char[0] : line.toCharArray();
        }
    }

    @Command(name = "remove", mixinStandardHelpOptions = true, description = "Takes a user out.")
    static final class Remove implements Callable<Integer> {
        @ArgGroup(multiplicity = "1")
        private Place place = new Place();

        @Parameters(paramLabel = "USER", description = "Name of the user.")
        private String user = "";

        @Override
        public Integer call() {
            Path file = place.file();
            if (!UsersFile.remove(file, user)) {
                throw new IllegalArgumentException("there is no user " + user + " in " + file);
            }
            System.out.println("user " + user + " is no longer in " + file);
            return 0;
        }
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists the users.")
    static final class ListUsers implements Callable<Integer> {
        @ArgGroup(multiplicity = "1")
        private Place place = new Place();

        @Override
        public Integer call() {
            UsersFile.read(place.file()).keySet().forEach(System.out::println);
            return 0;
        }
    }
}
