package org.metaq.narayana;

import com.arjuna.ats.internal.jta.resources.arjunacore.XAResourceRecord;
import com.arjuna.ats.internal.jta.resources.arjunacore.XAResourceRecordWrappingPlugin;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import javax.transaction.xa.XAResource;
import org.jboss.tm.XAResourceWrapper;
import org.metaq.jms.xa.MetaQXAResource;
import org.metaq.tm.EnlistedResource;

/**
 * Has Narayana write the names of resources into its log, which it does by itself in application
 * servers only.
 *
 * <p>A process that dies after the broker has committed a branch, and before that is noted, leaves
 * a branch in the log that the broker does not list any more. Recovery takes it as finished only if
 * the log has the name of its resource, and a resource of that name was asked in the same scan.
 * Without a name the entry, and a warning at each scan, stay for ever.
 *
 * <p>Brokers' resources are named by {@link NamedResource}, whether enlisted as they are or by a
 * pool of ours. Others are, if they have names, as in an application server. Stateless.
 */
final class ResourceNames implements XAResourceRecordWrappingPlugin {
    /** What an Xid without a number for the name of its resource has in that place. */
    private static final Integer NO_NUMBER = 0;

    private ResourceNames() {}

    /**
     * Puts it in place, unless something else is there. Narayana looks for it once, at its first
     * transaction.
     */
    static void install() {
        JTAEnvironmentBean configuration = jtaPropertyManager.getJTAEnvironmentBean();
        if (configuration.getXAResourceRecordWrappingPlugin() == null) {
            configuration.setXAResourceRecordWrappingPlugin(new ResourceNames());
        }
    }

    @Override
    public void transcribeWrapperData(XAResourceRecord entry) {
        if (named(entry.value()) instanceof XAResourceWrapper named) {
            entry.setProductName(named.getProductName());
            entry.setProductVersion(named.getProductVersion());
            entry.setJndiName(named.getJndiName());
        }
    }

    private static Object named(Object resource) {
        Object asked = resource instanceof EnlistedResource ours ? ours.provider() : resource;
        return asked instanceof MetaQXAResource ours ? new NamedResource(ours) : resource;
    }

    @Override
    public Integer getEISName(XAResource resource) {
        return NO_NUMBER;
    }

    @Override
    public String getEISName(Integer number) {
        return "unknown";
    }
}
