package org.metaq.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * What the user has of the TCK. Immutable.
 *
 * @param jars the test classes and what they need, but neither the Jakarta Messaging API nor JUnit
 * @param signatures the recorded signatures of the Jakarta Messaging API
 * @param signatureTool the jar of the program that compares signatures
 */
record TckFiles(List<Path> jars, Optional<Path> signatures, Optional<Path> signatureTool) {
    private static final String SIGNATURES = "jakarta.jms.sig";
    private static final String TOOL_CLASS = "com/sun/tdk/signaturetest/SignatureTest.class";

    TckFiles {
        jars = List.copyOf(jars);
    }

    /**
     * Looks for them.
     *
     * @param place a jar, or a folder, which is searched with all below it
     * @throws TckException if there is no jar
     */
    static TckFiles find(Path place) throws TckException {
        try (Stream<Path> below = Files.walk(place)) {
            List<Path> files =
                    below.filter(Files::isRegularFile)
                            .map(Path::toAbsolutePath)
                            .map(Path::normalize)
                            .sorted()
                            .toList();
            List<Path> jars = files.stream().filter(TckFiles::isClassJar).toList();
            if (jars.isEmpty()) {
                throw new TckException(
                        place
                                + " holds no jar; name the TCK's test jar, or a folder with it and"
                                + " the jars that it needs");
            }
            return new TckFiles(
                    jars,
                    files.stream().filter(f -> name(f).startsWith(SIGNATURES)).findFirst(),
                    jars.stream().filter(TckFiles::holdsTool).findFirst());
        } catch (IOException | UncheckedIOException e) {
            throw new TckException("cannot read the TCK: " + e, e);
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static boolean isClassJar(Path file) {
        String name = name(file);
        return name.endsWith(".jar")
                && !name.endsWith("-sources.jar")
                && !name.endsWith("-javadoc.jar");
    }

    private static boolean holdsTool(Path jar) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.getEntry(TOOL_CLASS) != null;
        } catch (IOException e) {
            throw new UncheckedIOException(jar + " is not a jar", e);
        }
    }
}
