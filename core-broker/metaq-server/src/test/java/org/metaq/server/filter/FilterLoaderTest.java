package org.metaq.server.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.broker.filter.FilteredMessage;
import org.metaq.broker.filter.MessageFilter;

/** Filters from classes and jars that are compiled here. */
class FilterLoaderTest {
    private static final FilteredMessage RED =
            new FilteredMessage("t", 0, 0, 7, "red", new byte[] {1});
    private static final FilteredMessage PLAIN =
            new FilteredMessage("t", 0, 0, 7, null, new byte[] {1});

    @TempDir Path root;

    private Path folder;
    private CountDownLatch woken;
    private FilterLoader loader;

    @BeforeEach
    void start() throws IOException {
        folder = Files.createDirectories(root.resolve("provided"));
        woken = new CountDownLatch(1);
        loader = new FilterLoader(folder, woken::countDown);
    }

    @AfterEach
    void stop() {
        loader.close();
    }

    private static void compile(Path to, String name, String source) throws IOException {
        Path file = to.resolve("src").resolve(name.replace('.', '/') + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        String classPath = System.getProperty("java.class.path") + ":" + to;
        List<String> arguments =
                List.of("-proc:none", "-cp", classPath, "-d", to.toString(), file.toString());
        int status =
                compiler.run(
                        null,
                        OutputStream.nullOutputStream(),
                        errors,
                        arguments.toArray(new String[0]));
        assertThat(status).as(errors.toString()).isZero();
    }

    private static void redFilter(Path to) throws IOException {
        compile(
                to,
                "shop.Red",
                """
                package shop;
                public class Red implements org.metaq.broker.filter.MessageFilter {
                    public boolean accept(String group, org.metaq.broker.filter.FilteredMessage m) {
                        return "red".equals(m.attribute());
                    }
                }
                """);
    }

    private static void assertRedOnly(MessageFilter filter) {
        assertThat(filter).isNotNull();
        assertThat(filter.accept("g", RED)).isTrue();
        assertThat(filter.accept("g", PLAIN)).isFalse();
    }

    @Test
    void shouldLoadAClassFromTheFolder() throws IOException {
        redFilter(folder);
        assertRedOnly(loader.filter("shop.Red"));
        assertThat(loader.filter("shop.Red")).isSameAs(loader.filter("shop.Red"));
    }

    @Test
    void shouldLoadAClassFromAJar() throws IOException {
        Path classes = Files.createDirectories(root.resolve("classes"));
        redFilter(classes);
        try (JarOutputStream jar =
                new JarOutputStream(Files.newOutputStream(folder.resolve("filters.jar")))) {
            jar.putNextEntry(new JarEntry("shop/Red.class"));
            Files.copy(classes.resolve("shop/Red.class"), jar);
        }
        assertRedOnly(loader.filter("shop.Red"));
    }

    /** Stand-ins of MetaQ's own interface and message, with their names and signatures. */
    @Test
    void shouldCallAFilterThatWasWrittenForMetaQ() throws IOException {
        compile(
                folder,
                "com.taobao.metamorphosis.Message",
                """
                package com.taobao.metamorphosis;
                public class Message {
                    public final String topic; public final byte[] data; public final String attribute;
                    public long id;
                    public Message(String topic, byte[] data, String attribute) {
                        this.topic = topic; this.data = data; this.attribute = attribute;
                    }
                    void setId(long id) { this.id = id; }
                }
                """);
        compile(
                folder,
                "com.taobao.metamorphosis.consumer.ConsumerMessageFilter",
                """
                package com.taobao.metamorphosis.consumer;
                public interface ConsumerMessageFilter {
                    boolean accept(String group, com.taobao.metamorphosis.Message message);
                }
                """);
        compile(
                folder,
                "shop.Old",
                """
                package shop;
                public class Old implements com.taobao.metamorphosis.consumer.ConsumerMessageFilter {
                    public boolean accept(String group, com.taobao.metamorphosis.Message m) {
                        return m.topic.equals("t") && m.id == 7 && m.data.length == 1
                                && "red".equals(m.attribute);
                    }
                }
                """);
        assertRedOnly(loader.filter("shop.Old"));
    }

    @Test
    void shouldDoWithoutAFilterThatIsNotThereOrIsNone() {
        assertThat(loader.filter("shop.Nowhere")).isNull();
        assertThat(loader.filter("java.lang.Object")).isNull();
        assertThat(new FilterLoader(root.resolve("missing"), () -> {}).filter("x.Y")).isNull();
    }

    @Test
    void shouldGiveUpAFilterThatFailed() throws IOException {
        redFilter(folder);
        assertThat(loader.filter("shop.Red")).isNotNull();
        loader.failed("shop.Red", new IllegalStateException("on purpose"));
        assertThat(loader.filter("shop.Red")).isNull();
    }

    @Test
    void shouldWakeTheWriterBehindATask() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        loader.executor().execute(ran::countDown);
        assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(woken.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
