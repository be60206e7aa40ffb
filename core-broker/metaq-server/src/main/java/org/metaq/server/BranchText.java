package org.metaq.server;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.BranchStatus.Share;
import org.metaq.server.operations.DecodedXid;

/** Branches as {@code metaq transactions} prints them: as a table, one a page, or in JSON. */
final class BranchText {
    private static final String NONE = "-";
    private static final List<String> HEAD =
            List.of("STATE", "SINCE", "NODE", "SENT", "ACKNOWLEDGED", "USER", "CLIENT-ID", "XID");

    private BranchText() {}

    /** All that is known, by name; a value is a text, a number or a list of shares. */
    private static Map<String, Object> facts(BranchStatus status) {
        DecodedXid xid = DecodedXid.of(status.id());
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("xid", status.id().toString());
        facts.put("state", status.state().name());
        facts.put("format", (long) xid.format());
        facts.put("global", xid.global());
        facts.put("globalText", xid.globalText());
        facts.put("branch", xid.branch());
        facts.put("branchText", xid.branchText());
        facts.put("node", xid.node());
        facts.put("subordinate", xid.subordinate());
        facts.put("transaction", xid.transaction());
        facts.put("startedAt", time(status.origin().startedMs()));
        facts.put("preparedAt", time(status.preparedMs()));
        facts.put("decidedAt", time(status.decidedMs()));
        facts.put("user", status.origin().user());
        facts.put("clientId", status.origin().clientId());
        facts.put("connection", status.origin().connection());
        facts.put("sent", status.sent());
        facts.put("acknowledged", status.acknowledged());
        facts.put("keptBytes", status.keptBytes());
        facts.put("pinnedLogBytes", status.pinnedLogBytes());
        return facts;
    }

    private static String time(long ms) {
        return ms == 0 ? "" : Instant.ofEpochMilli(ms).toString();
    }

    // ---- for people

    /** A line for each branch, below a head. */
    static String table(List<BranchStatus> statuses) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        for (BranchStatus status : statuses) {
            rows.add(
                    List.of(
                            status.state().name(),
                            shown(time(status.sinceMs())),
                            shown(DecodedXid.of(status.id()).node()),
                            messages(status.sent()),
                            messages(status.acknowledged()),
                            shown(status.origin().user()),
                            shown(status.origin().clientId()),
                            shown(status.id().toString())));
        }
        int[] widths = new int[HEAD.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).collect(Collectors.joining("\n"));
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
        }
        return line.toString().stripTrailing();
    }

    private static String messages(List<Share> shares) {
        return Long.toString(shares.stream().mapToLong(Share::messages).sum());
    }

    /** What a client called itself must not steer the terminal. */
    private static String shown(String text) {
        return text.isEmpty() ? NONE : text.replaceAll("\\p{Cntrl}", "?");
    }

    /** All about one branch, a line for each fact. */
    static String page(BranchStatus status) {
        List<String> lines = new ArrayList<>();
        facts(status)
                .forEach(
                        (name, value) -> {
                            if (!(value instanceof List<?> shares)) {
                                lines.add(fact(name, value.toString()));
                            } else if (shares.isEmpty()) {
                                lines.add(fact(name, ""));
                            } else {
                                shares.forEach(
                                        share -> lines.add(fact(name, share((Share) share))));
                            }
                        });
        return String.join("\n", lines);
    }

    private static String fact(String name, String value) {
        return "%-15s %s".formatted(name, shown(value));
    }

    private static String share(Share share) {
        return "%s: %d messages, %d bytes"
                .formatted(share.topic(), share.messages(), share.bytes());
    }

    // ---- for programs

    /** An array of objects; what is not known is null. */
    static String json(List<BranchStatus> statuses) {
        return array(statuses.stream().map(BranchText::json).toList(), ",\n");
    }

    /** An object; what is not known is null. */
    static String json(BranchStatus status) {
        return object(facts(status));
    }

    private static String object(Map<String, ?> members) {
        return members.entrySet().stream()
                .map(member -> quoted(member.getKey()) + ":" + jsonOf(member.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String jsonOf(Object value) {
        if (value instanceof List<?> list) {
            return array(list.stream().map(BranchText::jsonOf).toList(), ",");
        }
        if (value instanceof Share share) {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("destination", share.topic());
            members.put("messages", share.messages());
            members.put("bytes", share.bytes());
            return object(members);
        }
        if (value instanceof Long) {
            return value.toString();
        }
        String text = value.toString();
        return text.isEmpty() ? "null" : quoted(text);
    }

    private static String array(List<String> items, String separator) {
        return items.stream().collect(Collectors.joining(separator, "[", "]"));
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append("\\u%04x".formatted((int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
