package org.metaq.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A clause of Jakarta Messaging 3.1.
 *
 * @param number as in the specification, for example {@code 6.2.10}
 * @param title as in the specification
 * @param demand what it demands of a provider, in our words; empty: nothing
 * @param whyUntested why no test is needed or possible; empty: there must be tests
 */
public record Clause(String number, String title, String demand, String whyUntested) {
    private static final String TABLE = "clauses.txt";
    private static final String UNTESTED = "untested:";

    /**
     * All clauses, in the order of the specification.
     *
     * @throws IllegalStateException if the table has a line that is not a clause
     */
    public static List<Clause> all() {
        try (InputStream in = Clause.class.getResourceAsStream(TABLE)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + TABLE);
            }
            List<Clause> clauses = new ArrayList<>();
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    clauses.add(parse(line));
                }
            }
            return clauses;
        } catch (IOException e) {
            throw new UncheckedIOException(TABLE, e);
        }
    }

    /** {@code number | title | demand}, or {@code number | title | untested: reason}. */
    private static Clause parse(String line) {
        String[] parts = line.split("\\s*\\|\\s*", 3);
        if (parts.length != 3 || parts[0].isBlank() || parts[1].isBlank() || parts[2].isBlank()) {
            throw new IllegalStateException("not a clause: " + line);
        }
        boolean isUntested = parts[2].startsWith(UNTESTED);
        return new Clause(
                parts[0].trim(),
                parts[1],
                isUntested ? "" : parts[2].trim(),
                isUntested ? parts[2].substring(UNTESTED.length()).trim() : "");
    }
}
