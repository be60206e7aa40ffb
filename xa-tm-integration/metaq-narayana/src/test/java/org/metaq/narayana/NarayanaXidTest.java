package org.metaq.narayana;

import static org.assertj.core.api.Assertions.assertThat;

import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.coordinator.TxControl;
import com.arjuna.ats.jta.xa.XATxConverter;
import com.arjuna.ats.jta.xa.XidImple;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.common.BranchId;
import org.metaq.server.operations.DecodedXid;

/** What operators are told of Xids that Narayana itself makes. */
class NarayanaXidTest {
    private final String before = TxControl.getXANodeName();
    private final Uid transaction = new Uid();

    @BeforeEach
    void nameTheNode() {
        TxControl.setXANodeName("node-east");
    }

    @AfterEach
    void nameItAsBefore() {
        TxControl.setXANodeName(before);
    }

    private DecodedXid decoded(Xid xid) {
        return DecodedXid.of(
                BranchId.xa(
                        xid.getFormatId(), xid.getGlobalTransactionId(), xid.getBranchQualifier()));
    }

    @Test
    void shouldDecodeABranchThatNarayanaMade() {
        DecodedXid xid = decoded(XATxConverter.getXid(transaction, true, XATxConverter.FORMAT_ID));
        assertThat(xid.node()).isEqualTo("node-east");
        assertThat(xid.subordinate()).isEmpty();
        assertThat(xid.transaction()).isEqualTo(transaction.stringForm());
    }

    @Test
    void shouldDecodeABranchThatNarayanaPassedOn() {
        XidImple xid = new XidImple(transaction, true, 0);
        XATxConverter.setSubordinateNodeName(xid.getXID(), "west");
        assertThat(decoded(xid).node()).isEqualTo("node-east");
        assertThat(decoded(xid).subordinate()).isEqualTo("west");
        assertThat(decoded(xid).transaction()).isEqualTo(transaction.stringForm());
    }
}
