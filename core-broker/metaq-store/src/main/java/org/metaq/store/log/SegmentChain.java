package org.metaq.store.log;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.metaq.store.io.FileLength;

/**
 * Tells the segments of a log at a restart and checks that they are whole, from names, lengths, one
 * header and one entry: messages are not read.
 */
final class SegmentChain {
    private static final Pattern FILE_NAME = Pattern.compile("\\d{20}\\.(meta|index)");

    private final LogContext context;
    private final String logPath;

    SegmentChain(LogContext context, String logPath) {
        this.context = context;
        this.logPath = logPath;
    }

    /**
     * What the log holds, all of it published and durable.
     *
     * @param files of the log, with their lengths, sorted by path
     * @throws org.metaq.store.StoreException CORRUPT if a file is missing, short or does not chain
     */
    LogView load(List<FileLength> files) {
        List<FileLength> datas = new ArrayList<>();
        List<FileLength> indexes = new ArrayList<>();
        for (FileLength file : files) {
            String name = name(file);
            if (!FILE_NAME.matcher(name).matches()) {
                throw IndexFormat.corrupt(file.path(), "is no file of a partition log");
            }
            (name.endsWith(Segment.DATA_SUFFIX) ? datas : indexes).add(file);
        }
        List<Long> starts = starts(datas);
        List<Long> indexStarts = starts(indexes);
        if (!starts.equals(indexStarts)) {
            throw IndexFormat.corrupt(
                    logPath,
                    "must hold an index for each segment, but has segments at %s and indexes at %s"
                            .formatted(starts, indexStarts));
        }
        return starts.isEmpty() ? LogView.EMPTY : load(starts, datas, indexes);
    }

    private LogView load(List<Long> starts, List<FileLength> datas, List<FileLength> indexes) {
        Segment[] segments = new Segment[starts.size()];
        long endOffset = starts.get(0);
        long endSequence = -1;
        for (int i = 0; i < segments.length; i++) {
            long start = starts.get(i);
            FileLength data = datas.get(i);
            requireChained(data.path(), start, endOffset);
            long entryCount = requireEntries(indexes.get(i));
            SharedFile index = context.file(indexes.get(i).path());
            if (i == 0) {
                endSequence = Segment.readFirstSequence(index, start);
            }
            segments[i] = new Segment(start, endSequence, context.file(data.path()), index);
            segments[i].forced(data.length());
            endOffset = start + data.length();
            endSequence += entryCount;
        }
        LogView view = new LogView(segments, endSequence, endOffset);
        requireLastEntryAtEnd(view);
        // Opened again on use: ten thousand logs must not hold a file each.
        segments[0].close();
        segments[segments.length - 1].close();
        return view;
    }

    private String name(FileLength file) {
        return file.path().substring(logPath.length() + 1);
    }

    private List<Long> starts(List<FileLength> files) {
        List<Long> starts = new ArrayList<>(files.size());
        files.forEach(file -> starts.add(start(name(file))));
        return starts;
    }

    private long start(String name) {
        try {
            return Long.parseLong(name.substring(0, name.indexOf('.')));
        } catch (NumberFormatException e) {
            throw IndexFormat.corrupt(
                    logPath + "/" + name, "is named by an offset beyond 2^63-1 (" + e + ")");
        }
    }

    private static void requireChained(String path, long start, long expected) {
        if (start != expected) {
            throw IndexFormat.corrupt(
                    path, "must start at %d, where the segment before it ends".formatted(expected));
        }
    }

    private static long requireEntries(FileLength index) {
        long entriesLength = index.length() - IndexFormat.HEADER_LENGTH;
        if (entriesLength < IndexFormat.ENTRY_LENGTH
                || entriesLength % IndexFormat.ENTRY_LENGTH != 0) {
            throw IndexFormat.corrupt(
                    index.path(),
                    "must be %d bytes and %d for each message, one at least, but is %d long"
                            .formatted(
                                    IndexFormat.HEADER_LENGTH,
                                    IndexFormat.ENTRY_LENGTH,
                                    index.length()));
        }
        return entriesLength / IndexFormat.ENTRY_LENGTH;
    }

    private static void requireLastEntryAtEnd(LogView view) {
        Segment last = view.segments()[view.segments().length - 1];
        ByteBuffer entry = ByteBuffer.allocate(IndexFormat.ENTRY_LENGTH);
        last.index()
                .readFully(
                        entry,
                        IndexFormat.entryPosition(view.endSequence() - 1 - last.firstSequence()));
        MessageMeta meta = IndexFormat.entry(entry, 0);
        if (meta.length() < IndexFormat.MESSAGE_LENGTH_MIN
                || meta.offset() < last.startOffset()
                || meta.offset() + meta.length() != view.endOffset()) {
            throw IndexFormat.corrupt(
                    last.data().path(),
                    "must end at offset %d, where the last message of its index ends (%d bytes at %d), but ends at %d"
                            .formatted(
                                    meta.offset() + meta.length(),
                                    meta.length(),
                                    meta.offset(),
                                    view.endOffset()));
        }
    }
}
