package org.metaq.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The users that a broker of a run knows: the TCK's, and those without a name. Stateless. */
final class Users {
    private static final String MAIN = "org.metaq.server.security.UserMain";

    /** Few: this password is no secret, and a slow hash costs the first test of each broker. */
    private static final String ITERATIONS = "1000";

    private Users() {}

    /**
     * Writes the users file, by the command that the distribution has for it.
     *
     * @return the file
     * @throws TckException if it cannot be written
     */
    static Path write(RunSettings settings) throws TckException, InterruptedException {
        Path directory = settings.work();
        Path file = directory.resolve("users");
        Path password = directory.resolve("password");
        Path log = directory.resolve("users.log");
        try {
            Files.writeString(password, RunSettings.PASSWORD);
            Process command =
                    Java.start(
                            List.of(),
                            settings.distribution().broker(),
                            MAIN,
                            List.of(
                                    "add",
                                    "--users",
                                    file.toString(),
                                    "--password-file",
                                    password.toString(),
                                    "--iterations",
                                    ITERATIONS,
                                    RunSettings.USER),
                            directory,
                            log);
            if (command.waitFor() != 0) {
                throw new TckException(
                        "the users file cannot be written: " + Files.readString(log).strip());
            }
            return file;
        } catch (IOException e) {
            throw new TckException("the users file cannot be written: " + e, e);
        }
    }
}
