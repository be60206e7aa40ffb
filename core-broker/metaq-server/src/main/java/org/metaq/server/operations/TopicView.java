package org.metaq.server.operations;

import java.util.List;
import javax.management.ConstructorParameters;
import org.metaq.broker.BrokerAdmin.TopicStatus;

/** A topic, as JMX shows it. Immutable. */
public final class TopicView {
    private final TopicStatus status;

    TopicView(TopicStatus status) {
        this.status = status;
    }

    /** From the open data that JMX carries. */
    @ConstructorParameters({
        "name",
        "partitionCount",
        "messageCount",
        "lengthBytes",
        "delayedCount",
        "served",
        "acceptPublish",
        "acceptSubscribe",
        "closedPartitions"
    })
    public TopicView(
            String name,
            int partitionCount,
            long messageCount,
            long lengthBytes,
            long delayedCount,
            boolean served,
            boolean acceptPublish,
            boolean acceptSubscribe,
            List<Integer> closedPartitions) {
        this(
                new TopicStatus(
                        name,
                        partitionCount,
                        messageCount,
                        lengthBytes,
                        delayedCount,
                        served,
                        acceptPublish,
                        acceptSubscribe,
                        closedPartitions));
    }

    /** Physical name. */
    public String getName() {
        return status.name();
    }

    /** How many partitions it has. */
    public int getPartitionCount() {
        return status.partitionCount();
    }

    /** Messages that are stored in it. */
    public long getMessageCount() {
        return status.messageCount();
    }

    /** Bytes of these. */
    public long getLengthBytes() {
        return status.lengthBytes();
    }

    /** Messages that wait for their delivery time. */
    public long getDelayedCount() {
        return status.delayedCount();
    }

    /** False: no client may use it, since no section names it and none is created on use. */
    public boolean isServed() {
        return status.isServed();
    }

    /** Whether clients may send to it. */
    public boolean isAcceptPublish() {
        return status.acceptPublish();
    }

    /** Whether clients may read from it. */
    public boolean isAcceptSubscribe() {
        return status.acceptSubscribe();
    }

    /** Partitions that an operator closed. */
    public List<Integer> getClosedPartitions() {
        return status.closedPartitions();
    }
}
