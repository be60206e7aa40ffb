package org.metaq.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
    private static final String PRODUCT_ROOT = "org.metaq";
    private static final String BROKEN_ROOT = "org.metaq.architecture.broken";

    private static final JavaClasses PRODUCT =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .withImportOption(location -> !location.contains("/jmh_generated/"))
                    .importPackages(PRODUCT_ROOT);

    static List<ArchRule> rules() {
        return new ArchitectureRules(PRODUCT_ROOT).all();
    }

    static List<ArchRule> rulesOfTheBrokenTree() {
        return new ArchitectureRules(BROKEN_ROOT).all();
    }

    static List<ArchitectureRules.Layer> layers() {
        return ArchitectureRules.LAYERS;
    }

    @ParameterizedTest
    @MethodSource("rules")
    void shouldKeepTheRule(ArchRule rule) {
        // That no layer is empty is shouldSeeTheClassesOfEveryLayerThatHasSources.
        rule.allowEmptyShould(true).check(PRODUCT);
    }

    @ParameterizedTest
    @MethodSource("layers")
    void shouldSeeTheClassesOfEveryLayerThatHasSources(ArchitectureRules.Layer layer)
            throws IOException {
        String prefix = PRODUCT_ROOT + "." + layer.name() + ".";
        boolean isSeen =
                PRODUCT.stream()
                        .anyMatch(
                                type ->
                                        type.getName().startsWith(prefix)
                                                && !type.getSimpleName().equals("package-info"));
        assertThat(isSeen).isEqualTo(hasSources(layer));
    }

    @ParameterizedTest
    @MethodSource("rulesOfTheBrokenTree")
    void shouldFindWhatBreaksTheRule(ArchRule rule) {
        JavaClasses broken = new ClassFileImporter().importPackages(BROKEN_ROOT);
        assertThat(rule.evaluate(broken).hasViolation()).isTrue();
    }

    @Test
    void shouldKnowEveryPackageOfTheProduct() {
        List<String> known = layers().stream().map(ArchitectureRules.Layer::name).toList();
        assertThat(PRODUCT.stream())
                .isNotEmpty()
                .allSatisfy(
                        type ->
                                assertThat(known)
                                        .contains(
                                                type.getPackageName()
                                                        .substring(PRODUCT_ROOT.length() + 1)
                                                        .split("\\.")[0]));
    }

    private static boolean hasSources(ArchitectureRules.Layer layer) throws IOException {
        Path sources = Path.of("..").resolve(layer.module()).resolve("src/main/java");
        if (!Files.isDirectory(sources)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.anyMatch(
                    file ->
                            file.toString().endsWith(".java")
                                    && !file.endsWith("package-info.java"));
        }
    }
}
