package org.metaq.crash;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.metaq.broker.state.RecordType;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.store.journal.Batch;
import org.metaq.store.journal.JournalRecord;

/**
 * Names of points: class and method, and in brackets the command or the type of the record that it
 * works on. Only what belongs to a branch has names. Thread-safe; what it keeps of the journal is
 * used on the broker's writer thread only.
 */
final class PointNames {
    /** First words of the commands of a branch. */
    private static final Set<String> COMMANDS =
            Set.of(
                    "begin",
                    "send",
                    "acquire",
                    "end",
                    "prepare",
                    "commit",
                    "rollback",
                    "recover",
                    "forget");

    private static final Set<RecordType> RECORDS =
            EnumSet.of(
                    RecordType.SEND,
                    RecordType.PREPARE,
                    RecordType.COMMIT,
                    RecordType.ROLLBACK,
                    RecordType.SETTLE_BY_HAND,
                    RecordType.FORGET);

    /** Commands that came to the broker, by connection and opaque number. */
    private static final Map<Asked, String> ASKED = new ConcurrentHashMap<>();

    // What was appended and is not yet written, and not yet forced.
    private static final Set<RecordType> UNWRITTEN = EnumSet.noneOf(RecordType.class);
    private static final Set<RecordType> UNFORCED = EnumSet.noneOf(RecordType.class);

    private record Asked(Object link, int opaque) {}

    private PointNames() {}

    /**
     * The names of a call.
     *
     * @param method full name of the class, a point, name of the method
     * @param where {@code enter} or {@code exit}
     */
    static List<String> of(String method, Object self, @Nullable Object[] arguments, String where) {
        String name = method.substring(method.lastIndexOf('.', method.lastIndexOf('.') - 1) + 1);
        return switch (name) {
            case "FrameWriter.put", "FrameWriter.defer" ->
                    ofCommand(name, word(((CommandCodec.Frame) argument(arguments, 0)).line()));
            case "PendingReply$OfCaller.answered",
                    "PendingReply$OfFuture.answered",
                    "PendingReply$OfHandler.answered",
                    "PendingReply$OfNobody.answered" ->
                    ofCommand("PendingReply.answered", word(bytes(self, "line")));
            case "Commands.dispatch" ->
                    dispatch(name, argument(arguments, 0), (Command) argument(arguments, 1));
            case "NettyLink.result", "NettyLink.value", "NettyLink.deliveries" ->
                    ofCommand(name, ASKED.get(new Asked(self, (Integer) argument(arguments, 0))));
            case "NettyLink.send" -> sent(name, self, (List<?>) argument(arguments, 0));
            case "FileJournal.append" -> appended(name, (Batch) argument(arguments, 0), where);
            case "FileJournal.write" -> journal(name, UNWRITTEN, where);
            case "FileJournal.force" -> journal(name, UNFORCED, where);
            case "BrokerState.apply" ->
                    RECORDS.contains((RecordType) argument(arguments, 1))
                            ? List.of(name + '[' + argument(arguments, 1) + ']')
                            : List.of();
            default -> List.of(name);
        };
    }

    private static Object argument(@Nullable Object[] arguments, int index) {
        Object argument = arguments[index];
        if (argument == null) {
            throw new IllegalStateException("argument " + index + " is null");
        }
        return argument;
    }

    private static List<String> ofCommand(String name, @Nullable String word) {
        return word != null && COMMANDS.contains(word)
                ? List.of(name + '[' + word + ']')
                : List.of();
    }

    private static String word(byte[] line) {
        String text = new String(line, StandardCharsets.UTF_8);
        int end = text.indexOf(' ');
        return end < 0 ? text.strip() : text.substring(0, end);
    }

    // ---- broker

    private static List<String> dispatch(String name, Object connection, Command command) {
        String word = command.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        if (COMMANDS.contains(word)) {
            ASKED.put(new Asked(field(connection, "link"), command.opaque()), word);
        }
        return ofCommand(name, word);
    }

    private static List<String> sent(String name, Object link, List<?> replies) {
        return replies.stream()
                .filter(reply -> hasOpaque(reply.getClass()))
                .map(reply -> ASKED.get(new Asked(link, (Integer) field(reply, "opaque"))))
                .flatMap(word -> ofCommand(name, word).stream())
                .toList();
    }

    private static boolean hasOpaque(Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            if (field.getName().equals("opaque")) {
                return true;
            }
        }
        return false;
    }

    private static List<String> appended(String name, Batch batch, String where) {
        Set<RecordType> types = EnumSet.noneOf(RecordType.class);
        for (JournalRecord record : batch.records()) {
            for (RecordType type : RECORDS) {
                if (type.code() == record.type()) {
                    types.add(type);
                }
            }
        }
        if (where.equals(PointAgent.EXIT)) {
            UNWRITTEN.addAll(types);
            UNFORCED.addAll(types);
        }
        return ofRecords(name, types);
    }

    private static List<String> journal(String name, Set<RecordType> waiting, String where) {
        List<String> names = ofRecords(name, waiting);
        if (where.equals(PointAgent.EXIT)) {
            waiting.clear();
        }
        return names;
    }

    /** Whether such a record was appended and is not written; on the writer thread. */
    static boolean isUnwritten(RecordType type) {
        return UNWRITTEN.contains(type);
    }

    private static List<String> ofRecords(String name, Collection<RecordType> types) {
        return types.stream().map(type -> name + '[' + type + ']').toList();
    }

    // ---- what is not public

    private static byte[] bytes(Object object, String field) {
        return (byte[]) field(object, field);
    }

    private static Object field(Object object, String name) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field.get(object);
            } catch (NoSuchFieldException e) {
                // Perhaps of its superclass.
                continue;
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(name + " of " + type, e);
            }
        }
        throw new IllegalStateException("no field " + name + " in " + object.getClass());
    }
}
