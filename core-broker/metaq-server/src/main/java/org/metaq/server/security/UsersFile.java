package org.metaq.server.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metaq.server.config.ConfigException;

/**
 * The file of users: a line {@code user=algorithm$iterations$salt$hash} each, UTF-8; empty lines
 * and those that begin with {@code #} are comments. Stateless.
 */
final class UsersFile {
    static final int NAME_LENGTH_MAX = 255;

    private UsersFile() {}

    /**
     * Reads it.
     *
     * @return the users in the order of the file
     * @throws ConfigException if it cannot be read or a line is not valid; the message names file
     *     and line
     */
    static Map<String, PasswordHash> read(Path file) {
        Map<String, PasswordHash> users = new LinkedHashMap<>();
        int number = 0;
        for (String line : lines(file)) {
            number++;
            if (isComment(line)) {
                continue;
            }
            try {
                String name = nameOf(line);
                String hash = line.substring(line.indexOf('=') + 1).trim();
                if (users.put(name, PasswordHash.parse(hash)) != null) {
                    throw new IllegalArgumentException("user '" + name + "' stands there twice");
                }
            } catch (IllegalArgumentException e) {
                throw new ConfigException(file + ":" + number + ": " + e.getMessage(), e);
            }
        }
        return users;
    }

    /**
     * Adds a user or gives one another password; the rest of the file stays as it is. The file is
     * made if there is none, readable for its owner only.
     *
     * @throws ConfigException as of {@link #read}; nothing is changed then
     */
    static void put(Path file, String user, PasswordHash password) {
        List<String> lines = Files.exists(file) ? without(file, user) : new ArrayList<>();
        lines.add(user + "=" + password.text());
        write(file, lines);
    }

    /**
     * Takes a user out.
     *
     * @return whether there was one
     * @throws ConfigException as of {@link #read}; nothing is changed then
     */
    static boolean remove(Path file, String user) {
        boolean found = read(file).containsKey(user);
        if (found) {
            write(file, without(file, user));
        }
        return found;
    }

    /**
     * Checks the name of a user.
     *
     * @throws IllegalArgumentException if no line could begin with it, or no client could send it
     */
    static void checkName(String user) {
        if (user.isEmpty()
                || user.length() > NAME_LENGTH_MAX
                || user.startsWith("#")
                || !user.equals(user.strip())
                || user.chars().anyMatch(c -> c == '=' || Character.isISOControl(c))) {
            throw new IllegalArgumentException(
                    "the name of a user must have 1.."
                            + NAME_LENGTH_MAX
                            + " characters, no '=', no control characters, no blank at its ends"
                            + " and no '#' at its start");
        }
    }

    private static List<String> without(Path file, String user) {
        // the whole file is checked, so that nothing is written beside a line that is not valid
        var unused = read(file);
        List<String> kept = new ArrayList<>();
        for (String line : lines(file)) {
            if (isComment(line) || !nameOf(line).equals(user)) {
                kept.add(line);
            }
        }
        return kept;
    }

    private static boolean isComment(String line) {
        return line.isBlank() || line.stripLeading().startsWith("#");
    }

    private static String nameOf(String line) {
        int end = line.indexOf('=');
        if (end < 0) {
            throw new IllegalArgumentException("a line must be user=password");
        }
        String name = line.substring(0, end).strip();
        checkName(name);
        return name;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new ConfigException(
                    "there is no users file " + file + "; make it with `metaq user add`", e);
        } catch (IOException e) {
            throw new ConfigException("cannot read the users file " + file + ": " + e, e);
        }
    }

    /** By a rename, so that a broker that reads at the same time sees the old file or the new. */
    private static void write(Path file, List<String> lines) {
        Path target = file.toAbsolutePath();
        Path directory = target.getParent();
        try {
            Path made = Files.createTempFile(directory, ".users", ".new");
            try {
                Files.write(made, lines, StandardCharsets.UTF_8);
                if (Files.exists(target)) {
                    keepPermissions(target, made);
                }
                Files.move(
                        made,
                        target,
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(made);
            }
        } catch (IOException e) {
            throw new ConfigException("cannot write the users file " + file + ": " + e, e);
        }
    }

    /** A new temporary file is its owner's only; the broker may run as another user. */
    private static void keepPermissions(Path from, Path to) throws IOException {
        if (Files.getFileStore(from).supportsFileAttributeView("posix")) {
            String rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(from));
            Files.setPosixFilePermissions(to, PosixFilePermissions.fromString(rights));
        }
    }
}
