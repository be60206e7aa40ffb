package org.metaq.broker;

import org.metaq.broker.state.Partition;
import org.metaq.broker.state.Records;
import org.metaq.broker.state.Topic;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.StartPosition;
import org.metaq.store.log.MessageLog;

/** Finds where a subscription starts to read. */
final class Starts {
    private Starts() {}

    /**
     * The first sequence to deliver, by partition; {@link Records#END_OF_LOG} for the end.
     *
     * @throws RefusedException if the position names a partition that the topic does not have
     */
    static long[] of(Topic topic, StartPosition position) throws RefusedException {
        boolean isOffset = position.kind() == StartPosition.Kind.OFFSET;
        if (isOffset && !topic.hasPartition(position.partition())) {
            throw new RefusedException(
                    ErrorCode.BAD_REQUEST,
                    "the start position %s names a partition; %s has the partitions 0..%d"
                            .formatted(position, topic, topic.partitions().size() - 1));
        }
        return topic.partitions().stream().mapToLong(p -> of(p, position)).toArray();
    }

    private static long of(Partition partition, StartPosition position) {
        MessageLog log = partition.log();
        return switch (position.kind()) {
            case EARLIEST -> log.startSequence();
            case LATEST -> Records.END_OF_LOG;
            case TIME -> log.sequenceOfTime(position.value());
            case OFFSET ->
                    partition.number() == position.partition()
                            ? log.sequenceOfOffset(position.value())
                            : log.startSequence();
        };
    }
}
