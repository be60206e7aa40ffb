package org.metaq.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.server.config.ConfigException;

/** The users file, and the command line that edits it. */
class UsersFileTest {
    @TempDir Path directory;

    @Test
    void shouldKnowThePasswordThatWasHashedAndNoOther() {
        PasswordHash written = PasswordHash.of("s3cret".toCharArray(), 10);
        PasswordHash read = PasswordHash.parse(written.text());
        assertThat(read.matches("s3cret".toCharArray())).isTrue();
        assertThat(read.matches("s3cret ".toCharArray())).isFalse();
        assertThat(read.matches(new char[0])).isFalse();
        assertThat(PasswordHash.of("s3cret".toCharArray(), 10).text())
                .as("with another salt")
                .isNotEqualTo(written.text());
    }

    @Test
    void shouldAddChangeListAndRemoveUsers() throws IOException {
        Path file = directory.resolve("users");
        Path password = Files.writeString(directory.resolve("p"), "one\nignored\n");
        run(
                0,
                "",
                "add",
                "app",
                "--users",
                file.toString(),
                "--password-file",
                "" + password,
                "--iterations",
                "10");
        Files.writeString(file, "# ours\n\n" + Files.readString(file));
        run(0, "two\n", "add", "jörg", "--users", file.toString(), "--iterations", "10");
        String added = run(0, "three\n", "add", "app", "--users", "" + file, "--iterations", "10");
        assertThat(added).doesNotContain("three");

        assertThat(run(0, "", "list", "--users", "" + file)).isEqualTo("jörg\napp");
        assertThat(UsersFile.read(file).get("app").matches("three".toCharArray())).isTrue();
        assertThat(UsersFile.read(file).get("jörg").matches("two".toCharArray())).isTrue();
        assertThat(Files.readString(file)).startsWith("# ours\n\n").doesNotContain("three");

        run(0, "", "remove", "app", "--users", file.toString());
        assertThat(run(1, "", "remove", "app", "--users", "" + file)).contains("no user app");
        assertThat(run(0, "", "list", "--users", "" + file)).isEqualTo("jörg");
        try (var files = Files.list(directory)) {
            assertThat(files).as("nothing temporary is left").containsOnly(file, password);
        }
    }

    @Test
    void shouldFindTheFileThroughTheConfiguration() throws IOException {
        Path config =
                Files.writeString(directory.resolve("server.ini"), "[system]\nusers=people\n");
        run(0, "pw\n", "add", "app", "--config", "" + config, "--iterations", "10");
        assertThat(UsersFile.read(directory.resolve("people"))).containsOnlyKeys("app");
        Files.writeString(config, "[system]\n");
        assertThat(run(1, "", "list", "--config", "" + config)).contains("has no key users");
    }

    @Test
    void shouldRefuseWhatNoUserCanBe() {
        String file = directory.resolve("users").toString();
        assertThat(run(1, "pw", "add", "a=b", "--users", file)).contains("no '='");
        assertThat(run(1, "pw", "add", "#a", "--users", file)).contains("'#'");
        assertThat(run(1, "", "add", "a", "--users", file)).contains("must not be empty");
        assertThat(run(1, "pw", "add", "a", "--users", file, "--iterations", "0"))
                .contains("--iterations must be 1..");
        assertThat(run(2, "", "add", "a")).contains("--users");
        assertThat(Path.of(file)).doesNotExist();
    }

    @Test
    void shouldNameTheLineThatIsNotValid() throws IOException {
        Path file = directory.resolve("users");
        String good = "a=" + PasswordHash.of("x".toCharArray(), 10).text();
        String[][] cases = {
            {"justaname", "a line must be user=password"},
            {"a=plain", "PBKDF2WithHmacSHA256$iterations$salt$hash"},
            {"a=PBKDF2WithHmacSHA256$x$AAAA$AAAA", "iterations must be a number"},
            {"a=PBKDF2WithHmacSHA256$99999999$AAAA$AAAA", "must be 1.."},
            {"a=PBKDF2WithHmacSHA256$10$!!$AAAA", "salt must be Base64"},
            {"a=PBKDF2WithHmacSHA256$10$AAAA$AAAA", "salt has 3 bytes"},
            {good, "stands there twice"},
        };
        for (String[] each : cases) {
            Files.writeString(file, good + "\n" + each[0] + "\n");
            assertThatThrownBy(() -> UsersFile.read(file))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(file + ":2: ")
                    .hasMessageContaining(each[1]);
        }
        assertThatThrownBy(() -> UsersFile.read(directory.resolve("none")))
                .hasMessageContaining("metaq user add");
    }

    @Test
    void shouldRememberWhoWasVerifiedAndForgetTheOldest() {
        PasswordHash hash = PasswordHash.of("pw".toCharArray(), 1);
        KnownUsers users = new KnownUsers(java.util.Map.of("app", hash));
        assertThat(users.isVerified("app", "pw")).isFalse();
        assertThat(users.verify("app", "no")).isFalse();
        assertThat(users.isVerified("app", "no")).isFalse();
        assertThat(users.verify("ap", "ppw")).isFalse();
        assertThat(users.verify("app", "pw")).isTrue();
        assertThat(users.isVerified("app", "pw")).isTrue();
        assertThat(users.isVerified("ap", "ppw")).as("divided otherwise").isFalse();
    }

    /** What it printed, on either stream. */
    private static String run(int status, String input, String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        InputStream in = System.in;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream captured = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        try {
            System.setOut(captured);
            System.setErr(captured);
            System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
            assertThat(UserMain.execute(arguments)).isEqualTo(status);
        } finally {
            System.setOut(out);
            System.setErr(err);
            System.setIn(in);
        }
        return bytes.toString(StandardCharsets.UTF_8).trim();
    }
}
