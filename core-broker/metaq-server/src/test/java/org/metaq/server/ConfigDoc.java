package org.metaq.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes {@code docs/configuration.md} from {@link ConfigKey}. */
final class ConfigDoc {
    private ConfigDoc() {}

    /** Writes the document to the file named by the only argument. */
    public static void main(String[] args) throws IOException {
        Files.writeString(Path.of(args[0]), text());
    }

    static String text() {
        StringBuilder out = new StringBuilder();
        out.append(
                """
                # Configuration of the broker

                This page is made from `org.metaq.server.ConfigKey`; change it there, and run the
                test-side main class `org.metaq.server.ConfigDoc docs/configuration.md`.

                `metaq broker` works without a file: every key has a default. With `--config FILE`
                it reads an INI file as MetaQ's `server.ini`; `--data`, `--port` and `--bind` go
                before what the file says. The broker refuses to start on a key that it does not
                know, on a value out of range and on a key that is set twice, and says which.

                Numbers may be sums and products with the units `K`, `M` and `G` (powers of 1024):
                `1024*1024*1024`, `64M`, `1G + 512M`.

                Keys of MetaQ that this release does not act on are accepted with the value that
                changes nothing (thread counts, `stat=false`, `acceptPublish=true`,
                `zk.zkEnable=false` …), named in the log, and refused with any other
                (`deletePolicy`, `dataLogPath`, a `[zookeeper]` section that is switched on, keys
                in `[topic=NAME]`).

                ## [system]

                | key | unit | default | range | what it does |
                |---|---|---|---|---|
                """);
        for (ConfigKey key : ConfigKey.values()) {
            String range = key.type().isNumber() ? key.min() + " – " + key.max() : "";
            String defaultValue =
                    key.defaultValue().isEmpty() ? "empty" : "`" + key.defaultValue() + "`";
            out.append("| `")
                    .append(key.key())
                    .append("` | ")
                    .append(key.type().unit())
                    .append(" | ")
                    .append(defaultValue)
                    .append(" | ")
                    .append(range)
                    .append(" | ")
                    .append(key.why())
                    .append(" |\n");
        }
        return out.toString();
    }
}
