package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.management.JMX;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.server.operations.BrokerMXBean;

/** A broker in a process of its own, spoken to by hand. */
@Timeout(180)
class BrokerProcessIT {
    private static final int HEADER_LENGTH = 20;

    @TempDir Path directory;

    private BrokerProcess.Builder broker() {
        return BrokerProcess.on(directory.resolve("data"));
    }

    private static String putText(RawClient client, String body) throws IOException {
        RawClient.Answer answer =
                client.ask("put orders 0 " + body.length() + " 0 -1 5\r\n" + body);
        assertThat(answer.line()).startsWith("result 200 ").endsWith(" 5");
        return answer.text();
    }

    /** Bodies of all messages from an offset on. */
    private static List<String> getAll(RawClient client) throws IOException {
        List<String> bodies = new ArrayList<>();
        long offset = 0;
        while (true) {
            RawClient.Answer answer = client.ask("get orders g 0 " + offset + " 1048576 6\r\n");
            if (!answer.line().startsWith("value ")) {
                assertThat(answer.line()).startsWith("result 404 ");
                return bodies;
            }
            ByteBuffer in = ByteBuffer.wrap(answer.body());
            while (in.remaining() >= HEADER_LENGTH
                    && in.remaining() >= HEADER_LENGTH + in.getInt(in.position())) {
                byte[] body = new byte[in.getInt()];
                in.position(in.position() + HEADER_LENGTH - Integer.BYTES);
                in.get(body);
                bodies.add(new String(body, StandardCharsets.UTF_8));
            }
            offset += in.position();
        }
    }

    @Test
    void shouldSpeakTheClassicCommands() throws Exception {
        try (BrokerProcess process = broker().start();
                RawClient client = new RawClient(process.port())) {
            assertThat(process.readyLine())
                    .isEqualTo(
                            "ready: metaq broker 0 on port "
                                    + process.port()
                                    + ", data "
                                    + directory.resolve("data"));
            assertThat(client.ask("version 1\r\n").line()).startsWith("result 200 ");
            assertThat(putText(client, "hello").split(" ")).hasSize(3).endsWith("0", "0");
            assertThat(putText(client, "world!").split(" ")).endsWith("0", "25");
            assertThat(getAll(client)).containsExactly("hello", "world!");
            RawClient.Answer second = client.ask("get orders g 0 25 1024 6\r\n");
            assertThat(second.line()).isEqualTo("value 26 6");
            assertThat(client.ask("get orders g 0 51 1024 7\r\n").line()).startsWith("result 404 ");
            assertThat(client.ask("get orders g 0 " + Long.MAX_VALUE + " 1024 8\r\n").line())
                    .startsWith("result 301 ");
            assertThat(client.ask("offset orders g 0 30 9\r\n").text()).isEqualTo("0");
            assertThat(client.ask("stats  10\r\n").text())
                    .startsWith("STATS\r\n")
                    .endsWith("END\r\n");
            client.send("quit\r\n");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void shouldFindAllDataAfterACleanStop() throws Exception {
        List<String> sent = new ArrayList<>();
        try (BrokerProcess process = broker().start();
                RawClient client = new RawClient(process.port())) {
            for (int i = 0; i < 50; i++) {
                sent.add("message " + i);
                putText(client, "message " + i);
            }
            assertThat(process.terminate()).isEqualTo(143);
            assertThat(process.log()).contains("broker-stopped").doesNotContain("ERROR");
        }
        try (BrokerProcess process = broker().start();
                RawClient client = new RawClient(process.port())) {
            assertThat(getAll(client)).isEqualTo(sent);
        }
    }

    @Test
    void shouldFindAllAnsweredDataAfterKill9() throws Exception {
        List<String> sent = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            try (BrokerProcess process = broker().start();
                    RawClient client = new RawClient(process.port())) {
                assertThat(round == 0 ? List.of() : getAll(client)).isEqualTo(sent);
                for (int i = 0; i < 50; i++) {
                    String body = "round " + round + " message " + i;
                    putText(client, body);
                    sent.add(body);
                }
                process.kill9();
            }
        }
    }

    @Test
    void shouldRefuseADataDirectoryThatAnotherBrokerUses() throws Exception {
        try (BrokerProcess process = broker().start()) {
            BrokerProcess.Refusal refusal = broker().startExpectingRefusal();
            assertThat(refusal.exitStatus()).isEqualTo(1);
            assertThat(refusal.output()).isEmpty();
            assertThat(refusal.errors())
                    .contains("metaq broker: does not start: ")
                    .contains(directory.resolve("data").toString())
                    .doesNotContain("\tat ");
            assertThat(process.isAlive()).isTrue();
        }
    }

    @Test
    void shouldSayInOneLineWhyItDoesNotStart() throws Exception {
        Path ini = directory.resolve("server.ini");
        Files.writeString(ini, "[system]\nbrokerID=1\n");
        BrokerProcess.Refusal badConfig =
                broker().arguments("--config", ini.toString()).startExpectingRefusal();
        assertThat(badConfig.exitStatus()).isEqualTo(1);
        assertThat(badConfig.errors().lines()).hasSize(1);
        assertThat(badConfig.errors()).contains("brokerID", "did you mean 'brokerId'");
        try (ServerSocket taken = new ServerSocket(0)) {
            BrokerProcess.Refusal badPort =
                    broker().port(taken.getLocalPort()).startExpectingRefusal();
            assertThat(badPort.exitStatus()).isEqualTo(1);
            assertThat(badPort.errors()).contains("cannot listen on").doesNotContain("\tat ");
        }
    }

    @Test
    void shouldLiveOnASmallHeapThroughMalformedAndOversizedInput() throws Exception {
        try (BrokerProcess process = broker().jvmOptions("-Xmx64m").start()) {
            closesOn(process, "\r\n");
            closesOn(process, "HELLO\r\n");
            closesOn(process, "x".repeat(100_000));
            closesOn(process, "put orders 0 -7 0 5\r\n");
            byte[] noise = new byte[200_000];
            new Random(1).nextBytes(noise);
            closesOn(process, new String(noise, StandardCharsets.ISO_8859_1));
            oversized(process);
            List<RawClient> idle = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                RawClient client = new RawClient(process.port());
                client.send("put orders 0 2000000 0 -1 1\r\nx");
                idle.add(client);
            }
            try (RawClient client = new RawClient(process.port())) {
                putText(client, "still here");
                assertThat(getAll(client)).containsExactly("still here");
            }
            for (RawClient client : idle) {
                client.close();
            }
            largeMessages(process);
            assertThat(process.isAlive()).isTrue();
            assertThat(process.log())
                    .contains("unknown-command", "line-too-long", "blank-line", "malformed-command")
                    .doesNotContain("OutOfMemory")
                    .doesNotContain("ERROR");
        }
    }

    private static void closesOn(BrokerProcess process, String input) throws IOException {
        try (RawClient client = new RawClient(process.port())) {
            try {
                client.send(input);
            } catch (IOException e) {
                // closed while we wrote: also an answer
                assertThat(process.isAlive()).isTrue();
            }
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    /** Two thirds of this heap in each message, from two clients at once. */
    private static void largeMessages(BrokerProcess process) throws IOException {
        byte[] large = new byte[40_000_000];
        try (RawClient one = new RawClient(process.port());
                RawClient two = new RawClient(process.port())) {
            for (RawClient client : List.of(one, two)) {
                RawClient.Answer opened = client.ask("open 1 16 12\r\n" + "\0".repeat(16));
                assertThat(opened.line()).startsWith("result 200 ");
            }
            for (int i = 0; i < 3; i++) {
                for (RawClient client : List.of(one, two)) {
                    client.send("send orders 0 0 -1 0 0 s - " + large.length + " 3\r\n");
                    client.send(large);
                }
                assertThat(one.read().line()).startsWith("result 200 ");
                assertThat(two.read().line()).startsWith("result 200 ");
            }
            one.send("put orders 0 8000000 0 -1 4\r\n");
            one.send(new byte[8_000_000]);
            assertThat(one.read().line()).startsWith("result 413 ");
        }
    }

    /** 300 MB in three commands that are too large, on one connection that lives on. */
    private static void oversized(BrokerProcess process) throws IOException {
        byte[] piece = new byte[1 << 20];
        try (RawClient client = new RawClient(process.port())) {
            for (int i = 0; i < 3; i++) {
                client.send("send orders 0 0 0 1 " + i + " 1 - " + (101 << 20) + " 77\r\n");
                for (int j = 0; j < 101; j++) {
                    client.send(piece);
                }
                RawClient.Answer refused = client.read();
                assertThat(refused.line()).startsWith("result 413 ").endsWith(" 77");
                assertThat(refused.text())
                        .startsWith("MESSAGE_TOO_LARGE ")
                        .contains("maxMessageSize");
            }
            assertThat(client.ask("version 1\r\n").line()).startsWith("result 200 ");
        }
    }

    @Test
    void shouldReloadItsFileAndStopWhenJmxSaysSo() throws Exception {
        Path file = directory.resolve("server.ini");
        Files.writeString(file, "[system]\nserverPort=1\n[topic=orders]\n");
        try (BrokerProcess process = broker().arguments("--config", file.toString()).start();
                RawClient client = new RawClient(process.port())) {
            Files.writeString(file, "[system]\nserverPort=1\n[topic=orders]\nacceptPublish=false");
            assertThat(client.ask("reload 0 1\r\n").text())
                    .isEqualTo("topic orders: changed acceptPublish");
            assertThat(client.ask("put orders 0 1 0 -1 2\r\nx").line()).startsWith("result 403 ");
            try (JMXConnector connector = connect(process.pid())) {
                BrokerMXBean bean =
                        JMX.newMXBeanProxy(
                                connector.getMBeanServerConnection(),
                                new ObjectName("org.metaq:type=Broker,id=0,port=" + process.port()),
                                BrokerMXBean.class);
                assertThatThrownBy(() -> bean.closePartitions("none", 0, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("there is no topic none");
                bean.stop();
            }
            assertThat(process.awaitEnd()).as(process.log()).isZero();
        }
    }

    // the address comes from a process that this test started
    @SuppressWarnings("BanJNDI")
    private static JMXConnector connect(long pid) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
            return JMXConnectorFactory.connect(
                    new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
            machine.detach();
        }
    }
}
