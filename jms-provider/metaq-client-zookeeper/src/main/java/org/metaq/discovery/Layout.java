package org.metaq.discovery;

import org.metaq.client.cluster.TopicPartition;

/**
 * MetaQ's paths below a root. E: ephemeral, P: persistent.
 *
 * <pre>
 * /brokers/ids/N/master            E  meta://host:port
 * /brokers/ids/N/slaveM            E  meta://host:port
 * /brokers/topics-pub/T/N-m        E  {"broker":"N-m","numParts":2}
 * /brokers/topics-sub/T/N-m, N-sM  E  the same
 * /consumers/G/ids/ID              E  topics of a member, joined by commas
 * /consumers/G/owners/T/N-P        E  id of the member that reads the partition
 * /consumers/G/offsets/T/N-P       P  messageId-offset
 * </pre>
 *
 * @param root without a slash at its end
 */
record Layout(String root) {
    Layout {
        if (!root.startsWith("/") || root.endsWith("/")) {
            throw new IllegalArgumentException(
                    "the root must start with a slash and not end with one: '" + root + "'");
        }
    }

    String brokers() {
        return root + "/brokers";
    }

    String members(String group) {
        return root + "/consumers/" + group + "/ids";
    }

    String member(String group, String id) {
        return members(group) + '/' + id;
    }

    String owner(String group, TopicPartition partition) {
        return root
                + "/consumers/"
                + group
                + "/owners/"
                + partition.topic()
                + '/'
                + partition.partition();
    }

    String offset(String group, TopicPartition partition) {
        return root
                + "/consumers/"
                + group
                + "/offsets/"
                + partition.topic()
                + '/'
                + partition.partition();
    }
}
