package org.metaq.mdbbench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The application as an archive: the same classes for each provider, other descriptors. */
final class WarFile {
    private static final String CLASSES = "app/";
    private static final List<String> CLASS_NAMES = List.of("RowBean.class", "BenchServlet.class");
    private static final List<String> DESCRIPTORS =
            List.of("ejb-jar.xml", "jboss-ejb3.xml", "web.xml");

    private WarFile() {}

    /** Writes that of a provider into a directory. */
    static Path write(Path directory, Provider provider) throws IOException {
        Path file = directory.resolve(provider.application() + ".war");
        String packages = WarFile.class.getPackageName().replace('.', '/') + "/";
        try (ZipOutputStream war = new ZipOutputStream(Files.newOutputStream(file))) {
            for (String name : CLASS_NAMES) {
                add(war, "WEB-INF/classes/" + packages + CLASSES + name, resource(CLASSES + name));
            }
            for (String name : DESCRIPTORS) {
                add(
                        war,
                        "WEB-INF/" + name,
                        text(name)
                                .replace("@PROVIDER@", provider.word())
                                .getBytes(StandardCharsets.UTF_8));
            }
        }
        return file;
    }

    /** A text beside this class. */
    static String text(String name) throws IOException {
        return new String(resource(name), StandardCharsets.UTF_8);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = WarFile.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("no " + name + " on the class path");
            }
            return in.readAllBytes();
        }
    }

    private static void add(ZipOutputStream war, String name, byte[] bytes) throws IOException {
        war.putNextEntry(new ZipEntry(name));
        war.write(bytes);
        war.closeEntry();
    }
}
