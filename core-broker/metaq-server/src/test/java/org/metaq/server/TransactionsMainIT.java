package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.common.BranchId;
import org.metaq.common.Checksums;
import org.metaq.common.DestinationKind;
import org.metaq.common.SequenceRange;
import org.metaq.protocol.Command;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.Delivery;
import org.metaq.protocol.Durability;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Settlement;

/** The command line of {@code metaq transactions} against a broker in a process of its own. */
@Timeout(180)
class TransactionsMainIT {
    private static final BranchId ONE = narayana(1);
    private static final BranchId TWO = narayana(2);

    @TempDir Path directory;

    private BrokerProcess broker;

    /** As Narayana makes them, on the node "east". */
    private static BranchId narayana(int number) {
        byte[] global = HexFormat.of().parseHex("00".repeat(27) + "07" + "65617374");
        byte[] branch = HexFormat.of().parseHex("00".repeat(27) + "0" + number + "00".repeat(8));
        return BranchId.xa(131077, global, branch);
    }

    /** What a client of the broker does, by hand. */
    private static final class Client implements AutoCloseable {
        private final RawClient raw;

        Client(int port) throws IOException {
            raw = new RawClient(port);
            int version = CommandCodec.PROTOCOL_VERSION;
            ok(new Command.Open(version, "alice", "secret", "billing", 1));
        }

        RawClient.Answer ask(Command command) throws IOException {
            CommandCodec.Frame frame = CommandCodec.encode(command);
            ByteBuffer bytes = ByteBuffer.allocate(frame.length());
            raw.send(bytes.put(frame.line()).put(frame.body()).array());
            return raw.read();
        }

        String ok(Command command) throws IOException {
            RawClient.Answer answer = ask(command);
            assertThat(answer.line()).as(answer.text()).startsWith("result 200 ");
            return answer.text();
        }

        String queue(String name) throws IOException {
            return ok(new Command.Resolve(DestinationKind.QUEUE, name, 1)).split(" ")[0];
        }

        void send(String topic, BranchId branch) throws IOException {
            ByteBuffer body = ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8));
            int sum = Checksums.messageChecksum(body);
            ok(new Command.Send(topic, -1, 0, sum, 0, 0, Durability.POLICY, branch, body, 1));
        }

        /** A branch that consumes a message of one queue, which it sends before, for another. */
        void prepare(BranchId branch, int consumer) throws IOException {
            String in = queue("in" + consumer);
            send(in, null);
            Command subscribe = new Command.Subscribe(consumer, in, "", false, false, false, "", 1);
            long subscription = Long.parseLong(ok(subscribe));
            assertThat(ask(new Command.Acquire(consumer, 1, 1000, 1000, 1)).line())
                    .startsWith("value ");
            ok(new Command.Begin(branch, 0, Command.BeginMode.NEW, 0, 1));
            send(queue("out" + consumer), branch);
            Settlement consumed =
                    new Settlement(
                            List.of(
                                    new Settlement.Entry(
                                            subscription, 0, List.of(new SequenceRange(0, 0)))));
            ok(new Command.End(branch, 0, Command.EndMode.SUCCESS, consumed, 1));
            assertThat(ok(new Command.Prepare(branch, 1))).isEqualTo("0");
        }

        /** How many messages of the queue are there for a consumer. */
        int count(String queue) throws IOException, ProtocolException {
            Command browse = new Command.Browse(queue(queue), 0, 0, 10, 1000, "", 1);
            ByteBuffer body = ByteBuffer.wrap(ask(browse).body());
            return Delivery.readAll(body.position(Long.BYTES).slice()).size();
        }

        @Override
        public void close() throws IOException {
            raw.close();
        }
    }

    private void start() throws Exception {
        broker = BrokerProcess.on(directory.resolve("data")).jvmOptions("-Xmx128m").start();
    }

    private String[] withPort(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--port";
        all[arguments.length + 1] = Integer.toString(broker.port());
        return all;
    }

    /** What it printed, on either stream. */
    private String run(int status, String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream captured = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        int actual;
        try {
            System.setOut(captured);
            System.setErr(captured);
            actual = TransactionsMain.execute(withPort(arguments));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        String text = bytes.toString(StandardCharsets.UTF_8).trim();
        assertThat(actual).as(text).isEqualTo(status);
        return text;
    }

    @Test
    void shouldSettleByHandOverRestartsAndTellTheManagerUntilItIsForgotten() throws Exception {
        start();
        try {
            try (Client client = new Client(broker.port())) {
                client.prepare(ONE, 1);
                client.prepare(TWO, 2);
            }
            List<String> table = run(0, "list", "--in-doubt").lines().toList();
            assertThat(table).hasSize(3);
            assertThat(table.get(0)).startsWith("STATE     SINCE ");
            assertThat(table.get(1))
                    .startsWith("PREPARED  20")
                    .matches(".* east  1     1             alice  billing    " + ONE);
            assertThat(run(0, "commit", ONE.toString())).isEqualTo("committed " + ONE);
            broker.kill9();
            start();
            assertThat(run(0, "list", "--in-doubt").lines()).hasSize(2);
            checkPage(run(0, "show", TWO.toString()));
            Path password = Files.writeString(directory.resolve("password"), "any\n");
            assertThat(
                            run(
                                    0,
                                    "rollback",
                                    "--user",
                                    "olga",
                                    "--password-file",
                                    password.toString(),
                                    TWO.toString()))
                    .isEqualTo("rolled back " + TWO);
            broker.terminate();
            start();
            checkDecided();
            assertThat(run(0, "forget", ONE.toString())).isEqualTo("forgotten " + ONE);
            assertThat(run(0, "forget", TWO.toString())).isEqualTo("forgotten " + TWO);
            assertThat(run(0, "list")).isEqualTo("there are no transactions");
            assertThat(run(0, "list", "--json")).isEqualTo("[]");
            checkAudit();
        } finally {
            broker.close();
        }
    }

    private static void checkPage(String page) {
        assertThat(page.lines())
                .contains(
                        "xid             " + TWO,
                        "state           PREPARED",
                        "format          131077",
                        "node            east",
                        "transaction     0:0:0:0:7",
                        "decidedAt       -",
                        "user            alice",
                        "clientId        billing",
                        "sent            queue@out2: 1 messages, 25 bytes",
                        "acknowledged    queue@in2: 1 messages, 25 bytes",
                        "pinnedLogBytes  25")
                .anyMatch(line -> line.matches("startedAt +20.*Z"))
                .anyMatch(line -> line.matches("preparedAt +20.*Z"))
                .anyMatch(line -> line.matches("connection +0-1-\\d+ from /127.0.0.1:\\d+"));
    }

    /** The manager comes back and wants the opposite. */
    private void checkDecided() throws IOException, ProtocolException {
        assertThat(run(0, "list", "--json"))
                .contains(
                        "\"state\":\"HEURISTIC_COMMITTED\"", "\"state\":\"HEURISTIC_ROLLED_BACK\"");
        try (Client client = new Client(broker.port())) {
            assertThat(client.ok(new Command.Recover(1)).lines())
                    .containsExactly(ONE.toString(), TWO.toString());
            assertThat(client.ask(new Command.Rollback(ONE, Settlement.NONE, 1)).text())
                    .startsWith("XA_HEURCOM ");
            assertThat(client.ask(new Command.Commit(TWO, false, Settlement.NONE, 1)).text())
                    .startsWith("XA_HEURRB ");
            assertThat(List.of(client.count("in1"), client.count("out1"))).containsExactly(0, 1);
            assertThat(List.of(client.count("in2"), client.count("out2"))).containsExactly(1, 0);
        }
    }

    private void checkAudit() throws IOException {
        List<String> lines =
                broker.log()
                        .lines()
                        .filter(line -> line.contains(" audit "))
                        .map(line -> line.substring(line.indexOf("decision=")))
                        .map(line -> line.replaceAll(":\\d+ outcome", ":PORT outcome"))
                        .toList();
        String from = " from=/127.0.0.1:PORT outcome=\"done\"";
        assertThat(lines)
                .containsExactly(
                        "decision=COMMIT xid=" + ONE + " user=-" + from,
                        "decision=ROLLBACK xid=" + TWO + " user=olga" + from,
                        "decision=FORGET xid=" + ONE + " user=-" + from,
                        "decision=FORGET xid=" + TWO + " user=-" + from);
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        start();
        try (Client client = new Client(broker.port())) {
            assertThat(run(3, "show", ONE.toString())).contains("no branch " + ONE);
            assertThat(run(3, "commit", ONE.toString())).contains("no branch " + ONE);
            assertThat(run(3, "forget", ONE.toString())).contains("no heuristic outcome");
            client.ok(new Command.Begin(ONE, 0, Command.BeginMode.NEW, 0, 1));
            assertThat(run(0, "list")).contains("ACTIVE").contains(ONE.toString());
            assertThat(run(0, "list", "--in-doubt")).isEqualTo("nothing is in doubt");
            assertThat(run(4, "rollback", ONE.toString())).contains("is not prepared");
            for (String wrong : List.of("XID:1:zz:00:", "nonsense", "XID:1:00:00:a b", "")) {
                assertThat(run(2, "commit", wrong)).contains("'" + wrong + "' is no Xid");
            }
            assertThat(run(2, "commit")).contains("XID");
            broker.kill9();
            assertThat(run(1, "list")).startsWith("metaq transactions: 127.0.0.1:" + broker.port());
        } finally {
            broker.close();
        }
    }
}
