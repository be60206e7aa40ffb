package org.metaq.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.metaq.client.cluster.Partition;

class SharesTest {
    private static List<Partition> partitions(String... texts) {
        return List.of(texts).stream().map(Partition::parse).toList();
    }

    @Test
    void shouldSortBothListsAsStrings() {
        List<Partition> twelve = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            twelve.add(new Partition(0, i));
        }
        // 0-0 0-1 0-10 0-11 | 0-2 0-3 0-4 0-5 | 0-6 0-7 0-8 0-9
        assertThat(Shares.of("g_10", List.of("g_2", "g_10", "g_3"), twelve))
                .containsExactlyInAnyOrderElementsOf(partitions("0-0", "0-1", "0-10", "0-11"));
        assertThat(Shares.of("g_2", List.of("g_2", "g_10", "g_3"), twelve))
                .containsExactlyInAnyOrderElementsOf(partitions("0-2", "0-3", "0-4", "0-5"));
    }

    @Test
    void shouldGiveTheFirstMembersOneMore() {
        List<Partition> five = partitions("0-0", "0-1", "1-0", "1-1", "2-0");
        assertThat(Shares.of("b", List.of("a", "b", "c"), five))
                .isEqualTo(new TreeSet<>(partitions("1-0", "1-1")));
        assertThat(Shares.of("c", List.of("a", "b", "c"), five))
                .isEqualTo(new TreeSet<>(partitions("2-0")));
        assertThat(Shares.of("stranger", List.of("a", "b", "c"), five)).isEmpty();
    }

    @Test
    void shouldGiveEachPartitionToOneMember() {
        for (int memberCount = 1; memberCount < 8; memberCount++) {
            for (int partitionCount = 0; partitionCount < 20; partitionCount++) {
                List<String> members = new ArrayList<>();
                List<Partition> partitions = new ArrayList<>();
                for (int i = 0; i < memberCount; i++) {
                    members.add("m" + i);
                }
                for (int i = 0; i < partitionCount; i++) {
                    partitions.add(new Partition(i % 3, i));
                }
                List<Partition> given = new ArrayList<>();
                for (String member : members) {
                    Set<Partition> share = Shares.of(member, members, partitions);
                    given.addAll(share);
                }
                Collections.sort(given);
                Collections.sort(partitions);
                assertThat(given).isEqualTo(partitions);
            }
        }
    }
}
