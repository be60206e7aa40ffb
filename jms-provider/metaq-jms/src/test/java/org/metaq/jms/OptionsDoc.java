package org.metaq.jms;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.metaq.jms.destination.DestinationOption;
import org.metaq.jms.option.RedeliveryOption;

/** Makes {@code docs/jms-options.md} from the options in the code. */
final class OptionsDoc {
    private static final String INTRODUCTION =
            """
            # Options of the JMS client

            This page is made from `ConnectionOption`, `DestinationOption` and `RedeliveryOption` in
            `org.metaq.jms`; change it there, and run the test-side main class
            `org.metaq.jms.OptionsDoc docs/jms-options.md`.

            ## Connection URI

            `metaq://host:8123,host2:8123?option=value&option=value`: the brokers to try, in order, and
            options. Without a port it is 8123; an IPv6 address stands in brackets; `%` and two hex
            digits stand for a byte of UTF-8 in a value (`%25` for `%`, `%26` for `&`). An unknown
            option, one that is given twice and a value out of range are refused when the factory is
            made, with the name that was meant.

            The URI is the argument of `new MetaQConnectionFactory(uri)`, and what JNDI calls
            `connectionFactory.NAME` or `java.naming.provider.url`. In a JNDI environment
            `org.metaq.jms.OPTION` is the default of an option for each factory whose URI does not have
            it. The system property `org.metaq.jms.allowedClasses` adds to `allowedClasses` of every
            factory in the process.

            | option | default | values | what it does |
            |---|---|---|---|
            """;

    private static final String DESTINATIONS =
            """

            ## Destination names

            `createQueue`, `createTopic`, the constructors of `MetaQQueue` and `MetaQTopic`, and JNDI
            (`queue.NAME`, `topic.NAME`, `dynamicQueues/…`, `dynamicTopics/…`) take a name and, behind a
            question mark, what consumers of the destination want of it:
            `prices?from=2026-11-01T00:00:00Z&prefetch=10`. Producers and browsers take no notice.
            Options are no part of the destination: with and without them it is the same, and
            `getQueueName` and `getTopicName` give the name without.

            A name may hold any character; a question mark that belongs to the name is written `%3F`,
            and `%25` stands for `%` where `%3F` or `%25` itself is meant. Values are escaped as in a
            connection URI. An unknown option, one that is given twice, and a value that it cannot have
            are refused with a JMSException that names option, value and what is allowed.

            | option | values | what it does |
            |---|---|---|
            """;

    private static final String PRECEDENCE =
            """

            Of the redelivery options the destination's goes before the connection's, and that before
            the broker's (`server.ini`, the topic's section, then `[system]`), value by value.
            """;

    private OptionsDoc() {}

    /** Writes the document to the file named by the only argument. */
    public static void main(String[] args) throws IOException {
        Files.writeString(Path.of(args[0]), text());
    }

    static String text() {
        StringBuilder out = new StringBuilder(INTRODUCTION);
        for (ConnectionOption option : ConnectionOption.values()) {
            out.append(
                    "| `%s` | %s | %s | %s |\n"
                            .formatted(
                                    option.optionName(),
                                    defaultOf(option),
                                    option.range(),
                                    option.description()));
        }
        out.append(DESTINATIONS);
        for (DestinationOption option : DestinationOption.values()) {
            out.append(row(option.optionName(), option.range(), option.description()));
        }
        for (RedeliveryOption option : RedeliveryOption.values()) {
            out.append(row(option.optionName(), option.range(), option.description()));
        }
        return out.append(PRECEDENCE).toString();
    }

    private static String defaultOf(ConnectionOption option) {
        String value = option.defaultValue();
        if (option.type() == ConnectionOption.Type.REDELIVERY) {
            return "the broker's";
        }
        return value == null || value.isEmpty() ? "none" : "`" + value + "`";
    }

    private static String row(String name, String range, String description) {
        // A bracket would begin a tag of HTML.
        return "| `%s` | %s | %s |\n".formatted(name, range.replace("<", "\\<"), description);
    }
}
