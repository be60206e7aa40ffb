package org.metaq.ra;

import jakarta.resource.spi.BootstrapContext;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Instant;
import org.metaq.ra.broker.BrokerSource;
import org.metaq.ra.check.SelfCheck;

/** A started resource adapter, as JMX shows it. Thread-safe. */
final class ResourceAdapterControl implements ResourceAdapterMBean {
    private final BrokerSource adapter;
    private final BootstrapContext context;

    ResourceAdapterControl(BrokerSource adapter, BootstrapContext context) {
        this.adapter = adapter;
        this.context = context;
    }

    @Override
    public String getBroker() {
        return adapter.brokerAccess().toString();
    }

    @Override
    public String selfCheck(String connectionFactoryName) {
        long serverStart = ManagementFactory.getRuntimeMXBean().getStartTime();
        return new SelfCheck(context, Clock.systemUTC(), Instant.ofEpochMilli(serverStart))
                .run(connectionFactoryName);
    }
}
