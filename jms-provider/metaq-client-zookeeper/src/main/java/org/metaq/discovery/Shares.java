package org.metaq.discovery;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.metaq.client.cluster.Partition;

/**
 * Which member reads which partitions, as every member of MetaQ 1.4 works it out by itself: both
 * lists sorted as strings ({@code 0-10} before {@code 0-2}), the partitions cut into contiguous
 * ranges, the first members getting one more if it does not come out even.
 */
final class Shares {
    private Shares() {}

    /**
     * The partitions of one member.
     *
     * @param member id; gets nothing if it is not among the members
     */
    static Set<Partition> of(String member, List<String> members, List<Partition> partitions) {
        List<String> sortedMembers = members.stream().sorted().toList();
        List<String> sorted = partitions.stream().map(Partition::toString).sorted().toList();
        int index = sortedMembers.indexOf(member);
        Set<Partition> share = new TreeSet<>();
        if (index >= 0) {
            int each = sorted.size() / sortedMembers.size();
            int rest = sorted.size() % sortedMembers.size();
            int first = each * index + Math.min(index, rest);
            int count = each + (index < rest ? 1 : 0);
            sorted.subList(first, first + count).forEach(text -> share.add(Partition.parse(text)));
        }
        return share;
    }
}
