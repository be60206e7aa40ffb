package org.metaq.frameworks;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The pages about frameworks show code that runs in tests, and no other. */
class FrameworksPageTest {
    @Test
    void shouldShowTheCodeOfTheTestsBesideThisOne() throws IOException {
        DocumentedExamples.requireFrom(
                "docs/frameworks.md",
                8,
                "IT.java",
                "jms-provider/metaq-frameworks-it/src/test/java/org/metaq/frameworks");
    }

    @Test
    void shouldShowTheCodeOfTheSamples() throws IOException {
        DocumentedExamples.requireFrom(
                "docs/jta.md",
                6,
                ".java",
                "xa-tm-integration/metaq-narayana/src/test/java/org/metaq/narayana",
                "samples/jta-orders/src/main/java/org/metaq/samples/jta",
                "samples/spring-jta/src/main/java/org/metaq/samples/springjta");
    }
}
