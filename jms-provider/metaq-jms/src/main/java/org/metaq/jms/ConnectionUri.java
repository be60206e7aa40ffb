package org.metaq.jms;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.metaq.jms.message.AllowList;
import org.metaq.jms.option.QueryText;

/**
 * Where the brokers are and how to talk to them: {@code
 * metaq://host:port[,host:port…][?option=value[&option=value…]]}. An IPv6 address stands in
 * brackets; without port it is {@value #DEFAULT_PORT}; {@code %} and two hex digits stand for a
 * byte of UTF-8 in a value. {@link ConnectionOption} lists the options. Immutable.
 */
public final class ConnectionUri {
    /** Port of a broker when the URI names none. */
    public static final int DEFAULT_PORT = 8123;

    private static final String SCHEME = "metaq://";
    private static final int PORT_MAX = 65_535;

    /**
     * Where one broker listens.
     *
     * @param host name or address, an IPv6 address without brackets
     * @param port 1..65535
     */
    public record Server(String host, int port) {
        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    private final List<Server> servers;
    private final Map<ConnectionOption, String> given;
    private final AllowList allowList;

    private ConnectionUri(List<Server> servers, Map<ConnectionOption, String> given) {
        this.servers = List.copyOf(servers);
        this.given = given;
        this.allowList =
                AllowList.parse(Objects.requireNonNull(value(ConnectionOption.ALLOWED_CLASSES)));
    }

    /**
     * Reads a URI.
     *
     * @throws IllegalArgumentException if it is not of the form above; the text says what is wrong
     *     and never shows the password
     */
    public static ConnectionUri parse(String uri) {
        if (!uri.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw new IllegalArgumentException("a connection URI starts with " + SCHEME);
        }
        String rest = uri.substring(SCHEME.length());
        int question = rest.indexOf('?');
        String authority = question < 0 ? rest : rest.substring(0, question);
        if (authority.endsWith("/")) {
            authority = authority.substring(0, authority.length() - 1);
        }
        if (authority.indexOf('@') >= 0) {
            throw new IllegalArgumentException(
                    "a connection URI has no user before the host; use ?user=…&password=…");
        }
        List<Server> servers = new ArrayList<>();
        for (String server : authority.split(",", -1)) {
            servers.add(parseServer(server.strip()));
        }
        return new ConnectionUri(
                servers, parseOptions(question < 0 ? "" : rest.substring(question + 1)));
    }

    private static Server parseServer(String text) {
        boolean isBracketed = text.startsWith("[");
        int hostEnd = isBracketed ? text.indexOf(']') : text.indexOf(':');
        String host = text;
        String port = "";
        if (hostEnd >= 0) {
            host = text.substring(isBracketed ? 1 : 0, hostEnd);
            port = text.substring(isBracketed ? hostEnd + 1 : hostEnd);
        }
        if (!isHost(host, isBracketed) || !(port.isEmpty() || port.matches(":[0-9]{1,5}"))) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not host:port (an IPv6 address stands in brackets)");
        }
        int number = port.isEmpty() ? DEFAULT_PORT : Integer.parseInt(port.substring(1));
        if (number < 1 || number > PORT_MAX) {
            throw new IllegalArgumentException(
                    "port " + number + " of '" + text + "' is not in 1 to " + PORT_MAX);
        }
        return new Server(host, number);
    }

    private static boolean isHost(String host, boolean isBracketed) {
        return isBracketed
                ? host.matches("[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(%[0-9A-Za-z._-]+)?")
                : host.matches("[\\p{L}\\p{N}._-]+");
    }

    private static Map<ConnectionOption, String> parseOptions(String query) {
        Map<ConnectionOption, String> options = new EnumMap<>(ConnectionOption.class);
        for (Map.Entry<String, String> entry : QueryText.parse(query).entrySet()) {
            ConnectionOption option = ConnectionOption.named(entry.getKey());
            option.check(entry.getValue());
            options.put(option, entry.getValue());
        }
        return options;
    }

    /**
     * The text of a URI with options that it gets where it does not have them itself.
     *
     * @throws IllegalArgumentException if it is no URI, or an option cannot have its value
     */
    public static String withDefaults(String uri, Map<ConnectionOption, String> defaults) {
        Map<ConnectionOption, String> given = parse(uri).given;
        StringBuilder text = new StringBuilder(uri);
        char separator = uri.indexOf('?') < 0 ? '?' : '&';
        for (Map.Entry<ConnectionOption, String> entry : defaults.entrySet()) {
            entry.getKey().check(entry.getValue());
            if (!given.containsKey(entry.getKey())) {
                text.append(separator)
                        .append(entry.getKey().optionName())
                        .append('=')
                        .append(QueryText.encode(entry.getValue()));
                separator = '&';
            }
        }
        return text.toString();
    }

    /**
     * The text of a URI without an option; the URI itself if it does not have it.
     *
     * @throws IllegalArgumentException if it is no URI
     */
    public static String without(String uri, ConnectionOption option) {
        Map<ConnectionOption, String> kept = new EnumMap<>(parse(uri).given);
        return kept.remove(option) == null
                ? uri
                : withDefaults(uri.substring(0, uri.indexOf('?')), kept);
    }

    /**
     * The text of a URI with options in place of those that it has.
     *
     * @throws IllegalArgumentException if it is no URI, or an option cannot have its value
     */
    public static String with(String uri, Map<ConnectionOption, String> options) {
        String kept = uri;
        for (ConnectionOption option : options.keySet()) {
            kept = without(kept, option);
        }
        return withDefaults(kept, options);
    }

    /** Brokers to try, in order; at least one. */
    public List<Server> servers() {
        return servers;
    }

    /** The value of an option, or its default; null if it has none. */
    public @Nullable String value(ConnectionOption option) {
        return given.getOrDefault(option, option.defaultValue());
    }

    private int number(ConnectionOption option) {
        return Integer.parseInt(Objects.requireNonNull(value(option)));
    }

    /** Name to authenticate with; null: none. */
    public @Nullable String user() {
        return value(ConnectionOption.USER);
    }

    /** Password of the user; null: none. */
    public @Nullable String password() {
        return value(ConnectionOption.PASSWORD);
    }

    /** JMS client id; null: none. */
    public @Nullable String clientId() {
        return value(ConnectionOption.CLIENT_ID);
    }

    /** Messages that a consumer takes ahead, 1..10,000. */
    public int prefetch() {
        return number(ConnectionOption.PREFETCH);
    }

    /** Classes that a received object message may hold. */
    public AllowList allowList() {
        return allowList;
    }

    /** Time to connect to one server, milliseconds, at least 1. */
    public int connectTimeoutMs() {
        return number(ConnectionOption.CONNECT_TIMEOUT);
    }

    /** Time to wait for a reply, milliseconds, at least 1. */
    public int callTimeoutMs() {
        return number(ConnectionOption.CALL_TIMEOUT);
    }

    /** Time between signs of life, milliseconds, at least 100. */
    public int heartbeatMs() {
        return number(ConnectionOption.HEARTBEAT);
    }

    /** Bytes of unanswered sends after which a further send waits, 1 KiB..1 GiB. */
    public int sendWindowBytes() {
        return number(ConnectionOption.SEND_WINDOW);
    }

    /** Values of the redelivery policy that the URI has, by the names of the options. */
    public Map<String, String> redelivery() {
        Map<String, String> policy = new LinkedHashMap<>();
        given.forEach(
                (option, value) -> {
                    if (option.type() == ConnectionOption.Type.REDELIVERY) {
                        policy.put(option.optionName(), value);
                    }
                });
        return policy;
    }

    /** Whether a lost connection is made anew. */
    public boolean isReconnecting() {
        return Boolean.parseBoolean(value(ConnectionOption.RECONNECT));
    }

    /** Pause between the first attempts to reconnect, milliseconds, at least 1. */
    public int reconnectDelayMs() {
        return number(ConnectionOption.RECONNECT_DELAY);
    }

    /** Longest pause between attempts to reconnect, milliseconds, at least 1. */
    public int reconnectMaxDelayMs() {
        return number(ConnectionOption.RECONNECT_MAX_DELAY);
    }

    /** Time after which a lost connection is given up, milliseconds, at least 1. */
    public int reconnectTimeoutMs() {
        return number(ConnectionOption.RECONNECT_TIMEOUT);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConnectionUri that
                && servers.equals(that.servers)
                && given.equals(that.given);
    }

    @Override
    public int hashCode() {
        return Objects.hash(servers, given);
    }

    /** The URI for people and logs: the password shows as {@code ***}, nothing is escaped. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(SCHEME);
        text.append(String.join(",", servers.stream().map(Server::toString).toList()));
        char separator = '?';
        for (Map.Entry<ConnectionOption, String> entry : given.entrySet()) {
            boolean isSecret = entry.getKey().type() == ConnectionOption.Type.SECRET;
            text.append(separator)
                    .append(entry.getKey().optionName())
                    .append('=')
                    .append(isSecret ? "***" : entry.getValue());
            separator = '&';
        }
        return text.toString();
    }
}
