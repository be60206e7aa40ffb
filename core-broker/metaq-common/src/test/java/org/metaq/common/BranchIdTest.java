package org.metaq.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BranchIdTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "TX:127.0.0.1-1795957845996-1:1",
                "XID:100:0102fe01:0109:XAMessageProducer-vm",
                "XID:-1:::"
            })
    void shouldReadBackItsTextForm(String key) {
        assertThat(BranchId.parse(key)).hasToString(key);
    }

    @Test
    void shouldIgnoreTheQualifierInEquality() {
        BranchId plain = BranchId.xa(7, new byte[] {1}, new byte[] {2});
        assertThat(BranchId.parse("XID:7:01:02:host")).isEqualTo(plain).hasSameHashCodeAs(plain);
        assertThat(BranchId.parse("XID:8:01:02:host")).isNotEqualTo(plain);
        assertThat(BranchId.parse("XID:7:01:03:host")).isNotEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "TX:a",
                "TX::1",
                "TX:a:b",
                "XID:1:2:3:",
                "XID:x:00:00:",
                "TX:a b:1"
            })
    void shouldRefuseWhatIsNotAKey(String key) {
        assertThatThrownBy(() -> BranchId.parse(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefusePartsOverSixtyFourBytes() {
        assertThatThrownBy(() -> BranchId.xa(1, new byte[65], new byte[1]))
                .hasMessageContaining("64");
    }

    /** A start with many prepared branches spent most of its time where hashes were the same. */
    @Test
    void shouldSpreadTheIdsThatACounterMakes() {
        Set<Integer> hashes = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            byte[] global = ByteBuffer.allocate(16).putInt(8, i).array();
            hashes.add(BranchId.xa(1, global, new byte[] {1}).hashCode());
        }
        assertThat(hashes).hasSizeGreaterThan(99_000);
    }
}
