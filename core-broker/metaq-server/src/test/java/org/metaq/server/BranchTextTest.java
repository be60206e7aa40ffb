package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.metaq.common.BranchId;
import org.metaq.protocol.BranchOrigin;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.BranchStatus.Share;

class BranchTextTest {
    private static final BranchStatus STATUS =
            new BranchStatus(
                    BranchId.xa(1, new byte[] {1}, new byte[] {2}),
                    BranchStatus.State.PREPARED,
                    new BranchOrigin(0, "a\u001b[2J\"\\\n", "", "0-1-1 from /10.0.0.1:5"),
                    1_700_000_000_000L,
                    0,
                    List.of(new Share("queue@a", 2, 50), new Share("queue@b", 1, 25)),
                    List.of(),
                    90,
                    0);

    @Test
    void shouldWriteJsonThatHoldsWhateverAClientCallsItself() {
        assertThat(BranchText.json(List.of(STATUS)))
                .isEqualTo(
                        "[{\"xid\":\"XID:1:01:02:\",\"state\":\"PREPARED\",\"format\":1,"
                                + "\"global\":\"01\",\"globalText\":null,\"branch\":\"02\","
                                + "\"branchText\":null,\"node\":null,\"subordinate\":null,"
                                + "\"transaction\":null,\"startedAt\":null,"
                                + "\"preparedAt\":\"2023-11-14T22:13:20Z\",\"decidedAt\":null,"
                                + "\"user\":\"a\\u001b[2J\\\"\\\\\\u000a\",\"clientId\":null,"
                                + "\"connection\":\"0-1-1 from /10.0.0.1:5\","
                                + "\"sent\":[{\"destination\":\"queue@a\",\"messages\":2,\"bytes\":50},"
                                + "{\"destination\":\"queue@b\",\"messages\":1,\"bytes\":25}],"
                                + "\"acknowledged\":[],\"keptBytes\":90,\"pinnedLogBytes\":0}]");
    }

    @Test
    void shouldLetNothingThatAClientCallsItselfSteerATerminal() {
        assertThat(BranchText.table(List.of(STATUS)))
                .isEqualTo(
                        """
                        STATE     SINCE                 NODE  SENT  ACKNOWLEDGED  USER      CLIENT-ID  XID
                        PREPARED  2023-11-14T22:13:20Z  -     3     0             a?[2J"\\?  -          XID:1:01:02:"""
                                .stripIndent());
        assertThat(BranchText.page(STATUS))
                .contains(
                        "user            a?[2J\"\\?\n",
                        "sent            queue@b: 1 messages, 25 bytes");
    }
}
