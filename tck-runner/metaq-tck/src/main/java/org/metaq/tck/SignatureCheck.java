package org.metaq.tck;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The TCK's signature test: the program that the TCK names compares the Jakarta Messaging API that
 * applications get from us with the signatures that the TCK recorded, once by reading class files
 * and once by reflection, with the arguments that the TCK gives it. Confined to one thread.
 */
final class SignatureCheck {
    /** The test as results name it. */
    static final TestId TEST = new TestId("signature.Signature", "jakarta.jms");

    private static final String MAIN = "com.sun.tdk.signaturetest.SignatureTest";
    private static final String PASSED = "STATUS:Passed.";
    private static final List<List<String>> MODES =
            List.of(List.of("-Static", "-CheckValue", "-mode", "src"), List.of());

    private final RunSettings settings;

    SignatureCheck(RunSettings settings) {
        this.settings = settings;
    }

    /**
     * Runs it.
     *
     * @throws TckException if it cannot be started
     */
    TestResult run() throws TckException, InterruptedException {
        TckFiles tck = settings.tck();
        if (tck.signatures().isEmpty()) {
            return TestResult.error(
                    TEST, 0, "not run: the TCK's file jakarta.jms.sig is not there");
        }
        if (tck.signatureTool().isEmpty()) {
            return TestResult.error(
                    TEST, 0, "not run: the jar with " + MAIN + " (sigtest) is not there");
        }
        long startTimeNs = System.nanoTime();
        List<String> failures = new ArrayList<>();
        for (List<String> mode : MODES) {
            String end = compare(mode, tck.signatureTool().get(), tck.signatures().get());
            if (!end.equals(PASSED)) {
                failures.add((mode.isEmpty() ? "by reflection: " : "class files: ") + end);
            }
        }
        return new TestResult(
                TEST,
                failures.isEmpty() ? TestResult.Status.PASSED : TestResult.Status.FAILED,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startTimeNs),
                String.join("; ", failures),
                "");
    }

    /** Compares once; returns the last line that it says. */
    private String compare(List<String> mode, Path tool, Path signatures)
            throws TckException, InterruptedException {
        Path api = settings.distribution().api();
        List<String> arguments = new ArrayList<>(mode);
        arguments.addAll(
                List.of(
                        "-Verbose",
                        "-FileName",
                        signatures.toString(),
                        "-Classpath",
                        api + File.pathSeparator + settings.work(),
                        "-Package",
                        "jakarta.jms",
                        "-BootCp",
                        "17",
                        "-IgnoreJDKClasses",
                        "-ApiVersion",
                        "3.1"));
        Path log = TestLog.file(settings.logs(), TEST);
        try {
            Files.createDirectories(settings.logs());
            Process process =
                    Java.start(
                            List.of(), List.of(tool, api), MAIN, arguments, settings.work(), log);
            String last = "it said nothing";
            try (BufferedReader output =
                    new BufferedReader(
                            new InputStreamReader(
                                    process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    last = line.isBlank() ? last : line;
                }
            }
            process.waitFor();
            List<String> said = Files.readAllLines(log);
            return last.startsWith("STATUS") || said.isEmpty() ? last : said.get(said.size() - 1);
        } catch (IOException e) {
            throw new TckException("cannot run the signature test: " + e, e);
        }
    }
}
