package org.metaq.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethod;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What the code below one root package must keep to. The root is {@code org.metaq} for the product;
 * a test applies the same rules to a small tree that breaks each of them.
 */
final class ArchitectureRules {
    /**
     * The arrows: a package and the packages of ours that it may use. {@code sim} drives whole
     * brokers in a test's process, without sockets. {@code bench} knows a provider, ours too, only
     * by its class path; so do {@code conformance} and {@code tck}.
     */
    static final List<Layer> LAYERS =
            List.of(
                    new Layer("common", "core-broker/metaq-common", Set.of()),
                    new Layer("protocol", "core-broker/metaq-protocol", Set.of("common")),
                    new Layer("selector", "core-broker/metaq-selector", Set.of()),
                    new Layer("store", "core-broker/metaq-store", Set.of("common", "protocol")),
                    new Layer(
                            "broker",
                            "core-broker/metaq-broker",
                            Set.of("common", "protocol", "selector", "store")),
                    new Layer(
                            "server",
                            "core-broker/metaq-server",
                            Set.of("common", "protocol", "store", "broker")),
                    new Layer(
                            "sim",
                            "core-broker/metaq-sim",
                            Set.of("common", "protocol", "store", "broker")),
                    new Layer("client", "jms-provider/metaq-client", Set.of("common", "protocol")),
                    new Layer(
                            "discovery",
                            "jms-provider/metaq-client-zookeeper",
                            Set.of("common", "protocol", "client")),
                    new Layer(
                            "jms",
                            "jms-provider/metaq-jms",
                            Set.of("common", "protocol", "selector", "client")),
                    new Layer("bench", "benchmarks/metaq-bench", Set.of()),
                    new Layer(
                            "jmh",
                            "benchmarks/metaq-jmh",
                            Set.of("common", "protocol", "selector", "store", "broker", "jms")),
                    new Layer("scale", "benchmarks/metaq-scale", Set.of("bench", "jms")),
                    new Layer("tm", "xa-tm-integration/metaq-tm", Set.of("jms")),
                    new Layer("narayana", "xa-tm-integration/metaq-narayana", Set.of("jms", "tm")),
                    new Layer(
                            "ra",
                            "jca-rar/metaq-resource-adapter",
                            Set.of("common", "selector", "jms")),
                    new Layer("soak", "xa-tm-integration/metaq-soak", Set.of("jms", "narayana")),
                    new Layer("container", "jca-rar/metaq-ra-it-support", Set.of("jms")),
                    new Layer("mdbbench", "benchmarks/metaq-mdb-bench", Set.of("container")),
                    new Layer(
                            "samples",
                            "samples/quickstart",
                            Set.of("jms", "tm", "narayana", "container")),
                    new Layer("conformance", "tck-runner/metaq-conformance", Set.of()),
                    new Layer("tck", "tck-runner/metaq-tck", Set.of()));

    /** Layers that a program without the JMS API on its class path must be able to load. */
    private static final String[] WITHOUT_JMS = {
        "common", "protocol", "selector", "store", "broker", "server", "sim", "client", "discovery"
    };

    private final String root;

    ArchitectureRules(String root) {
        this.root = root;
    }

    /**
     * One layer.
     *
     * @param name last part of its package
     * @param module its directory, from the root of the repository
     * @param mayUse names of the layers that it may use
     */
    record Layer(String name, String module, Set<String> mayUse) {
        @Override
        public String toString() {
            return name;
        }
    }

    List<ArchRule> all() {
        List<ArchRule> rules = new ArrayList<>();
        LAYERS.forEach(layer -> rules.add(usesOnlyWhatItMay(layer)));
        rules.add(packagesHaveNoCycles());
        rules.add(coreAndClientDoNotKnowJms());
        rules.add(onlyTheServerKnowsNetty());
        rules.add(onlyServerAndDiscoveryKnowZooKeeper());
        rules.add(stateKnowsNoTimeChanceOrThreads());
        rules.add(stateMeetsFilesOnlyThroughTheStore());
        rules.add(publicTypesAreNullMarked());
        return rules;
    }

    ArchRule usesOnlyWhatItMay(Layer layer) {
        List<String> allowed = new ArrayList<>();
        allowed.add(in(layer.name()));
        layer.mayUse().stream().sorted().forEach(name -> allowed.add(in(name)));
        return noClasses()
                .that()
                .resideInAPackage(in(layer.name()))
                .should(
                        dependOnClassesThat(
                                resideInAPackage(root + "..")
                                        .and(
                                                not(
                                                        resideInAnyPackage(
                                                                allowed.toArray(String[]::new))))))
                .as(layer.name() + " uses nothing of ours but " + layer.mayUse());
    }

    ArchRule packagesHaveNoCycles() {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    ArchRule coreAndClientDoNotKnowJms() {
        String[] packages = new String[WITHOUT_JMS.length];
        for (int i = 0; i < packages.length; i++) {
            packages[i] = in(WITHOUT_JMS[i]);
        }
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta.jms..", "javax.jms..");
    }

    ArchRule onlyTheServerKnowsNetty() {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackage(in("server"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..");
    }

    ArchRule onlyServerAndDiscoveryKnowZooKeeper() {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackages(in("server"), in("discovery"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..");
    }

    /** Replicas that apply the same records must come to the same state. */
    ArchRule stateKnowsNoTimeChanceOrThreads() {
        return noClasses()
                .that()
                .resideInAPackage(in("broker.state"))
                .should(
                        dependOnClassesThat(
                                        JavaClass.Predicates.belongToAnyOf(
                                                        Thread.class,
                                                        java.time.Clock.class,
                                                        java.time.Instant.class,
                                                        java.util.Random.class,
                                                        java.util.SplittableRandom.class,
                                                        java.util.Timer.class,
                                                        java.util.UUID.class,
                                                        java.util.concurrent.ThreadLocalRandom
                                                                .class)
                                                .or(
                                                        JavaClass.Predicates.assignableTo(
                                                                java.util.concurrent.Executor
                                                                        .class))
                                                .or(
                                                        JavaClass.Predicates.assignableTo(
                                                                "org.metaq.common.Clock")))
                                .or(callMethod(System.class, "currentTimeMillis"))
                                .or(callMethod(System.class, "nanoTime"))
                                .or(callMethod(Math.class, "random")))
                .as("broker.state has no clock, randomness or threads of its own");
    }

    ArchRule stateMeetsFilesOnlyThroughTheStore() {
        return noClasses()
                .that()
                .resideInAPackage(in("broker.state"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.net..")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(
                        java.io.File.class,
                        java.io.FileInputStream.class,
                        java.io.FileOutputStream.class,
                        java.io.RandomAccessFile.class);
    }

    ArchRule publicTypesAreNullMarked() {
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .arePublic()
                .and()
                .areTopLevelClasses()
                .should(beInANullMarkedPackage());
    }

    private static ArchCondition<JavaClass> beInANullMarkedPackage() {
        return new ArchCondition<>("be in a @NullMarked package") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean marked =
                        type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked");
                events.add(
                        new SimpleConditionEvent(
                                type,
                                marked,
                                type.getName()
                                        + (marked ? " is" : " is not")
                                        + " in a @NullMarked package"));
            }
        };
    }

    private String in(String layer) {
        return root + "." + layer + "..";
    }
}
