package org.metaq.jms;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.message.AllowList;
import org.metaq.jms.option.Nearest;
import org.metaq.jms.option.RedeliveryOption;

/** The options of a {@link ConnectionUri}: the one table from which documents are made. */
public enum ConnectionOption {
    /** Who connects. */
    USER("user", Type.TEXT, null, "Name to authenticate with; createConnection(user, …) overrides"),
    /** Secret of the user; never shown. */
    PASSWORD("password", Type.SECRET, null, "Password of the user"),
    /** JMS client id. */
    CLIENT_ID(
            "clientId",
            Type.TEXT,
            null,
            "Client id of every connection: names its durable subscriptions"),
    /** Messages taken ahead. */
    PREFETCH(
            "prefetch",
            1,
            10_000,
            1000,
            "Messages that a consumer takes ahead; fewer spread work more evenly over consumers"),
    /** Classes for object messages. */
    ALLOWED_CLASSES(
            "allowedClasses",
            Type.CLASSES,
            "",
            "Classes that a received ObjectMessage may hold besides plain JDK types, comma"
                    + " separated: org.acme.Order, or org.acme.* with all below"),
    /** Time to connect. */
    CONNECT_TIMEOUT(
            "connectTimeout", 1, 3_600_000, 10_000, "Milliseconds to connect to one server"),
    /** Time for a reply. */
    CALL_TIMEOUT(
            "callTimeout",
            1,
            3_600_000,
            30_000,
            "Milliseconds to wait for a reply before the call fails"),
    /** Time between signs of life. */
    HEARTBEAT(
            "heartbeat",
            100,
            3_600_000,
            10_000,
            "Milliseconds between signs of life; a connection without them is taken for lost"),
    /** Bytes under way. */
    SEND_WINDOW(
            "sendWindow",
            1024,
            1 << 30,
            1 << 20,
            "Bytes of unanswered sends of a connection; a further send waits. A larger message"
                    + " goes alone"),
    /** Whether a lost connection comes back. */
    RECONNECT(
            "reconnect",
            Type.FLAG,
            "false",
            "Whether a lost connection is made anew, with its sessions, consumers and temporary"
                    + " destinations; see docs/reconnect.md. false: it fails at once, and the"
                    + " ExceptionListener is told"),
    /** Pause between attempts. */
    RECONNECT_DELAY(
            "reconnectDelay",
            1,
            3_600_000,
            100,
            "Milliseconds between the first attempts to reconnect; the pause doubles, and is"
                    + " shortened by up to a half at random"),
    /** Longest pause between attempts. */
    RECONNECT_MAX_DELAY(
            "reconnectMaxDelay",
            1,
            3_600_000,
            5_000,
            "Longest pause between two attempts to reconnect, milliseconds"),
    /** When to give up. */
    RECONNECT_TIMEOUT(
            "reconnectTimeout",
            1,
            604_800_000,
            300_000,
            "Milliseconds without a connection after which it is given up. Keep it below the"
                    + " broker's outcomeRetention, for what is repeated later may be done twice"),
    /** Deliveries before the dead letter queue. */
    MAX_DELIVERIES(RedeliveryOption.MAX_DELIVERIES),
    /** First delay of a redelivery. */
    REDELIVERY_DELAY(RedeliveryOption.DELAY),
    /** Growth of the delay. */
    REDELIVERY_BACK_OFF(RedeliveryOption.BACK_OFF),
    /** Longest delay. */
    MAX_REDELIVERY_DELAY(RedeliveryOption.MAX_DELAY),
    /** Order in groups. */
    STRICT_ORDER(RedeliveryOption.STRICT_ORDER),
    /** Dead letter queue. */
    DEAD_LETTER(RedeliveryOption.DEAD_LETTER);

    /** What values an option takes. */
    public enum Type {
        /** Any text but the empty one. */
        TEXT,
        /** Text that is never shown. */
        SECRET,
        /** {@code true} or {@code false}. */
        FLAG,
        /** A decimal number in the option's range. */
        NUMBER,
        /** Patterns of {@link AllowList#parse}. */
        CLASSES,
        /** A value of a {@link RedeliveryOption}. */
        REDELIVERY
    }

    private final String optionName;
    private final Type type;
    private final @Nullable String defaultValue;
    private final int min;
    private final int max;
    private final String description;

    ConnectionOption(
            String optionName, Type type, @Nullable String defaultValue, String description) {
        this(optionName, type, defaultValue, 0, 0, description);
    }

    ConnectionOption(String optionName, int min, int max, int defaultValue, String description) {
        this(optionName, Type.NUMBER, Integer.toString(defaultValue), min, max, description);
    }

    ConnectionOption(RedeliveryOption option) {
        this(option.optionName(), Type.REDELIVERY, null, option.description());
    }

    ConnectionOption(
            String optionName,
            Type type,
            @Nullable String defaultValue,
            int min,
            int max,
            String description) {
        this.optionName = optionName;
        this.type = type;
        this.defaultValue = defaultValue;
        this.min = min;
        this.max = max;
        this.description = description;
    }

    /** As it stands in a URI; case matters. */
    public String optionName() {
        return optionName;
    }

    /** What values it takes. */
    public Type type() {
        return type;
    }

    /** Its value when not given; null: none. */
    public @Nullable String defaultValue() {
        return defaultValue;
    }

    /** What it does and why one would change it. */
    public String description() {
        return description;
    }

    /** Its values, for people. */
    public String range() {
        return switch (type) {
            case TEXT, SECRET -> "text, not empty";
            case FLAG -> "true or false";
            case NUMBER -> min + " to " + max;
            case CLASSES -> "names of classes and packages such as org.acme.*, comma separated";
            case REDELIVERY -> RedeliveryOption.named(optionName).orElseThrow().range();
        };
    }

    /**
     * The option of that name.
     *
     * @throws IllegalArgumentException if there is none; the text suggests the nearest
     */
    public static ConnectionOption named(String name) {
        List<ConnectionOption> all = Arrays.asList(values());
        return all.stream()
                .filter(option -> option.optionName.equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "unknown option '"
                                                + name
                                                + "'; did you mean '"
                                                + Nearest.of(
                                                        name,
                                                        all.stream()
                                                                .map(ConnectionOption::optionName)
                                                                .toList())
                                                + "'?"));
    }

    /**
     * Checks a value.
     *
     * @throws IllegalArgumentException if the option cannot have it; names option, value and range,
     *     but never a secret
     */
    public void check(String value) {
        boolean isGood =
                switch (type) {
                    case TEXT, SECRET -> !value.isEmpty();
                    case FLAG -> value.equals("true") || value.equals("false");
                    case NUMBER -> isInRange(value);
                    case CLASSES -> isAllowList(value);
                    case REDELIVERY ->
                            RedeliveryOption.named(optionName).orElseThrow().accepts(value);
                };
        if (!isGood) {
            throw new IllegalArgumentException(
                    "option '"
                            + optionName
                            + "' cannot be '"
                            + (type == Type.SECRET ? "" : value)
                            + "': it takes "
                            + range());
        }
    }

    private boolean isInRange(String value) {
        // At most ten digits: no sign, no overflow of the long.
        return value.matches("[0-9]{1,10}")
                && Long.parseLong(value) >= min
                && Long.parseLong(value) <= max;
    }

    private static boolean isAllowList(String value) {
        try {
            AllowList.parse(value);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
