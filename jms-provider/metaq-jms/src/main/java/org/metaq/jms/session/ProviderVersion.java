package org.metaq.jms.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of this build. Immutable.
 *
 * @param text as in the project's files, such as {@code 1.2.3}
 * @param major its first number
 * @param minor its second number
 */
record ProviderVersion(String text, int major, int minor) {
    private static final String RESOURCE = "version.properties";
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})\\.(\\d{1,9}).*");

    /**
     * Reads what the build wrote.
     *
     * @throws IllegalStateException if it is not there
     */
    static ProviderVersion load() {
        try (InputStream in = ProviderVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing in the jar of metaq-jms");
            }
            Properties properties = new Properties();
            properties.load(in);
            return parse(properties.getProperty("version", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Numbers that are not there are 0, as in a build that did not fill in its version. */
    static ProviderVersion parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? new ProviderVersion(
                        text,
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)))
                : new ProviderVersion(text, 0, 0);
    }
}
