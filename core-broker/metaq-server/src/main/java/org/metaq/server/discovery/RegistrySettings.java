package org.metaq.server.discovery;

/**
 * Where a broker registers, and as what.
 *
 * @param connect hosts and ports of ZooKeeper, {@code host:port,host:port}
 * @param root path above all nodes, such as {@code /meta}; empty or {@code /}: none
 * @param sessionTimeoutMs silence after which ZooKeeper drops the broker's nodes
 * @param connectionTimeoutMs longest wait for a connection in one try
 * @param retryMs pause between two tries
 * @param brokerId number of the broker in its cluster
 * @param url what clients connect to, {@code meta://host:port}
 */
public record RegistrySettings(
        String connect,
        String root,
        int sessionTimeoutMs,
        int connectionTimeoutMs,
        long retryMs,
        int brokerId,
        String url) {
    /** Checks the root. */
    public RegistrySettings {
        if (root.equals("/")) {
            root = "";
        }
        if (!root.isEmpty() && (!root.startsWith("/") || root.endsWith("/"))) {
            throw new IllegalArgumentException(
                    "zk.zkRoot is '" + root + "'; it must begin with / and not end with it");
        }
    }

    /** The URL that clients connect to; an IPv6 address gets its brackets. */
    public static String url(String host, int port) {
        boolean isBareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
        return "meta://" + (isBareIpv6 ? "[" + host + "]" : host) + ":" + port;
    }
}
