package org.metaq.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.XAJMSContext;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import java.util.Arrays;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metaq.ra.MetaQResourceAdapter;

/** Recovery of a broker that only the connection factory of an endpoint leads to. */
class RecoveryLookupIT extends EndpointTestBase {
    private static final String ELSEWHERE = "metaq://127.0.0.1:1";

    private final MetaQResourceAdapter adapter = new MetaQResourceAdapter();

    @BeforeEach
    void start() throws ResourceException {
        FakeNaming.install();
        FakeNaming.BOUND.put("jms/other", factory());
        adapter.setConnectionUri(ELSEWHERE);
        adapter.start(container);
    }

    @AfterEach
    void stop() {
        adapter.stop();
        FakeNaming.uninstall();
    }

    /** A branch of another connection that is prepared. */
    private void leaveInDoubt(Xid xid) throws XAException {
        try (XAJMSContext context = factory().createXAContext()) {
            XAResource resource = context.getXAResource();
            resource.start(xid, XAResource.TMNOFLAGS);
            context.createProducer().send(queue, "in doubt");
            resource.end(xid, XAResource.TMSUCCESS);
            resource.prepare(xid);
        }
    }

    @Test
    void shouldFinishBranchesOfABrokerThatOnlyALookupNames() throws Exception {
        MetaQActivationSpec spec = spec(queue);
        spec.setConnectionFactoryLookup("jms/other");
        FakeBean bean = FakeBean.accepting();
        Xid xid = FakeTransaction.newXid();
        leaveInDoubt(xid);
        adapter.endpointActivation(bean, spec);

        XAResource[] resources = adapter.getXAResources(new ActivationSpec[] {spec});
        assertThat(Arrays.toString(resources)).contains(ELSEWHERE, uri());
        assertThat(resources).hasSize(2);
        resources[1].commit(xid, false);
        awaitDone(bean, "in doubt#1");

        adapter.endpointDeactivation(bean, spec);
        assertThat(adapter.getXAResources(null)).hasSize(1);
    }
}
