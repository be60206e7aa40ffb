package org.metaq.sim;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipInputStream;
import org.metaq.broker.DeletePolicy;
import org.metaq.broker.state.Partition;
import org.metaq.broker.state.Topic;
import org.metaq.protocol.MessageFormat;
import org.metaq.store.io.StoreFile;

/**
 * Where the policy archives, every message that left a log is in an archive: whole, once, in order,
 * whatever the machine stopped at.
 */
final class ArchiveCheck {
    private final SimDisk disk;
    private final boolean isZipped;
    private final ModelState expected;

    private ArchiveCheck(SimDisk disk, boolean isZipped, ModelState expected) {
        this.disk = disk;
        this.isZipped = isZipped;
        this.expected = expected;
    }

    /**
     * Looks at the archives of a host with a running broker.
     *
     * @throws Violation if a message is missing
     */
    static void check(FileHost host, ModelState expected) {
        DeletePolicy.Action action = host.options.topics().deletePolicy().action();
        boolean isZipped = action == DeletePolicy.Action.ZIP;
        if (isZipped || action == DeletePolicy.Action.ARCHIVE) {
            ArchiveCheck check = new ArchiveCheck(host.disk(), isZipped, expected);
            for (Topic topic : host.broker().state().topics()) {
                topic.partitions().forEach(check::check);
            }
        }
    }

    private void check(Partition partition) {
        String log = partition.topic() + "-" + partition.number();
        List<Long> ids = new ArrayList<>();
        long end = partition.log().startOffset();
        for (long offset = 0; offset < end; ) {
            String start = "topics/%s/%020d".formatted(log, offset);
            offset += addIds(start, ids);
        }
        ModelState.TopicLog should = expected.topics.get(partition.topic().text());
        List<Long> all = should == null ? List.of() : should.partitions().get(partition.number());
        int count = (int) partition.log().startSequence();
        if (count > all.size() || !ids.equals(all.subList(0, count))) {
            throw new Violation(
                    "the archives of %s hold %s, not the first %d of %s"
                            .formatted(log, ids, count, all));
        }
    }

    /** Adds the ids of an archive's messages; gives its length. */
    private int addIds(String start, List<Long> ids) {
        String path = start + (isZipped ? ".zip" : ".arc");
        if (!disk.exists(path)) {
            throw new Violation(path + " is missing, and its segment is gone");
        }
        ByteBuffer bytes = ByteBuffer.allocate(disk.lengthOf(path));
        try (StoreFile file = disk.open(path)) {
            file.read(bytes, 0);
        }
        ByteBuffer messages = isZipped ? unzipped(path, bytes.array()) : bytes.flip();
        while (messages.hasRemaining()) {
            int length =
                    MessageFormat.HEADER_LENGTH
                            + messages.getInt(
                                    messages.position() + MessageFormat.BODY_LENGTH_OFFSET);
            ids.add(Payload.idOf(messages.slice(messages.position(), length)));
            messages.position(messages.position() + length);
        }
        if (messages.limit() == 0) {
            throw new Violation(path + " is empty");
        }
        return messages.limit();
    }

    private static ByteBuffer unzipped(String path, byte[] bytes) {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            if (zip.getNextEntry() == null) {
                throw new Violation(path + " holds nothing");
            }
            return ByteBuffer.wrap(zip.readAllBytes());
        } catch (IOException e) {
            throw new Violation(path + " does not unzip: " + e, e);
        }
    }
}
