package org.metaq.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who is compared: ours first. Immutable.
 *
 * @param providers for Jakarta Messaging
 * @param classic servers for original MetaQ clients
 */
record Contestants(List<Provider> providers, List<Server> classic) {
    /** Names of peers; the last stands for no peer. */
    static final List<String> PEERS = List.of("artemis", "activemq", OriginalServer.NAME, "none");

    Contestants {
        providers = List.copyOf(providers);
        classic = List.copyOf(classic);
    }

    /**
     * How brokers are run.
     *
     * @param home directory of our distribution
     * @param peers folder in which the jars of peers are kept
     * @param ourOptions of the JVM of our broker
     * @param peerOptions of those of the peers
     */
    record Setup(Path home, Path peers, String ourOptions, List<String> peerOptions) {}

    /**
     * Gets the jars of peers that are not there yet.
     *
     * @param names of {@link #PEERS}
     * @param others descriptions of other providers
     * @throws BenchException if a name is not known, or jars cannot be had
     */
    static Contestants of(Setup setup, List<String> names, List<String> others)
            throws BenchException, InterruptedException {
        MetaQProvider ours = new MetaQProvider(setup.home(), setup.ourOptions());
        List<Provider> providers = new ArrayList<>(List.of(ours));
        List<Server> classic = new ArrayList<>(List.of(new LocalMetaQ(ours)));
        for (String name : names) {
            switch (name) {
                case "artemis" ->
                        providers.add(new ArtemisProvider(setup.peers(), setup.peerOptions()));
                case "activemq" ->
                        providers.add(new ActiveMqProvider(setup.peers(), setup.peerOptions()));
                case OriginalServer.NAME ->
                        classic.add(new OriginalServer(setup.peers(), setup.peerOptions()));
                case "none" -> {}
                default ->
                        throw new BenchException(
                                "no peer is called " + name + "; there are " + PEERS);
            }
        }
        for (String other : others) {
            providers.add(ExternalProvider.parse(other));
        }
        return new Contestants(providers, classic);
    }

    /** Name of ours. */
    String ours() {
        return providers.get(0).name();
    }

    /**
     * Those that run, in the order of a round: the last first in every other one. What the machine
     * does slower or faster for who comes later then falls on all alike.
     *
     * @param number of the round, from 1
     */
    static <T> List<T> inRound(int number, List<T> all) {
        List<T> ordered = new ArrayList<>(all);
        if (number % 2 == 0) {
            Collections.reverse(ordered);
        }
        return ordered;
    }

    /** How many of them run a workload. */
    int count(String workload) {
        return ClassicNames.contains(workload) ? classic.size() : providers.size();
    }

    /** How often clients warm up in a round. */
    int warmUps(List<String> workloads) {
        return (workloads.stream().anyMatch(Round::isInOneRun) ? providers.size() : 0)
                + (Selection.needsClassic(workloads) ? classic.size() : 0);
    }

    /** What is promised of persistent messages, and how brokers are run. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        List<Server> servers = new ArrayList<>(providers);
        servers.addAll(classic.subList(1, classic.size()));
        for (Server server : servers) {
            settings.put(server.name() + " durability", server.durability());
            settings.put(server.name() + " broker", server.brokerOptions());
        }
        return settings;
    }
}
