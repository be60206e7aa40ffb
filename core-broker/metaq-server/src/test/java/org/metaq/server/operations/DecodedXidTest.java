package org.metaq.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metaq.common.BranchId;

class DecodedXidTest {
    private static final String UID =
            "0000000000000000" + "0000ffff7f000101" + "ac10ff38" + "5f3759df" + "0000001d";
    private static final String BRANCH_UID =
            "0000000000000000" + "0000ffff7f000101" + "ac10ff38" + "5f3759df" + "00000021";

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static DecodedXid decoded(int format, String global, String branch) {
        return DecodedXid.of(BranchId.parse("XID:" + format + ":" + global + ":" + branch + ":"));
    }

    @Test
    void shouldTellNodeAndTransactionOfNarayana() {
        String global = UID + hex("node-1");
        String branch = BRANCH_UID + "00000002" + "00000000";
        assertThat(decoded(131077, global, branch))
                .isEqualTo(
                        new DecodedXid(
                                131077,
                                global,
                                branch,
                                "",
                                "",
                                "node-1",
                                "",
                                "0:ffff7f000101:-53ef00c8:5f3759df:1d"));
    }

    @Test
    void shouldTellTheSubordinateNodeOfNarayana() {
        DecodedXid xid =
                decoded(131077, UID + hex("1"), BRANCH_UID + "00000000" + "00000004" + hex("east"));
        assertThat(xid.node()).isEqualTo("1");
        assertThat(xid.subordinate()).isEqualTo("east");
    }

    @ParameterizedTest
    @CsvSource({
        // of another format
        "131076, 6e6f64652d31, 00000000, 00000000",
        // no node
        "131077, '', 00000000, 00000000",
        // a node that is no text
        "131077, 6e6f64ff, 00000000, 00000000",
        // a branch that is too short
        "131077, 6e6f64652d31, 00000000, ''",
        // a subordinate that is longer than the branch
        "131077, 6e6f64652d31, 00000000, 00000001",
        // something behind the subordinate
        "131077, 6e6f64652d31, 00000000, 0000000065",
    })
    void shouldNotGuessANode(int format, String node, String manager, String subordinate) {
        DecodedXid xid = decoded(format, UID + node, BRANCH_UID + manager + subordinate);
        assertThat(xid.node()).isEmpty();
        assertThat(xid.subordinate()).isEmpty();
        assertThat(xid.transaction()).isEmpty();
        assertThat(xid.global()).isEqualTo(UID + node);
    }

    @ParameterizedTest
    @CsvSource({
        "6f726465722d3137, order-17",
        "00016f726465722d31377fff, ..order-17..",
        "616263, ''",
        "61626300646566, ''",
        "'', ''",
    })
    void shouldShowTextOfOtherFormats(String hex, String text) {
        assertThat(decoded(1, hex, "").globalText()).isEqualTo(text);
        assertThat(decoded(1, "", hex).branchText()).isEqualTo(text);
    }

    @Test
    void shouldHaveNothingToTellOfALocalTransaction() {
        assertThat(DecodedXid.of(BranchId.local("0-1-1", 7)))
                .isEqualTo(new DecodedXid(0, "", "", "", "", "", "", ""));
    }
}
