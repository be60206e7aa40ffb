package org.metaq.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metaq.server.config.ConfigKey;
import org.metaq.server.config.ServerConfig;

/**
 * Exchanges that were recorded between MetaQ 1.4.6.2's own client and server, byte for byte but for
 * message ids, whose sign and digits are the broker's own.
 */
@Timeout(60)
class ClassicExchangesIT {
    private static final String SESSION = "127.0.0.1-1795957845996-2";
    private static final String XID = "XID:100:0102fe01:0109:XAMessageProducer-vm";

    /** Where a reply holds a message id. */
    private static final String ID = "<id>";

    /** Where a reply holds a sentence for people. */
    private static final String WHY = "<why>";

    @TempDir Path directory;

    private BrokerServer server;
    private RawClient client;

    @BeforeEach
    void start() throws IOException {
        server =
                BrokerServer.start(
                        ServerConfig.builder()
                                .port(0)
                                .bindAddress("127.0.0.1")
                                .dataPath(directory)
                                .set(ConfigKey.BROKER_ID, "7")
                                .set(ConfigKey.NUM_PARTITIONS, "2")
                                .set(ConfigKey.MAX_SEGMENT_SIZE, "2000")
                                .build());
        client = new RawClient(server.port());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
    }

    /** Sends a command and compares the whole reply, its length included. */
    private void exchange(String command, String head, String text) throws IOException {
        RawClient.Answer answer = client.ask(command);
        String pattern = Pattern.quote(text).replace(ID, "\\E\\d+\\Q").replace(WHY, "\\E.+\\Q");
        assertThat(answer.text()).as(command).matches(Pattern.compile(pattern, Pattern.DOTALL));
        assertThat(answer.line())
                .as(command)
                .isEqualTo(head.replace("<n>", Integer.toString(answer.body().length)));
    }

    private static String put(int partition, String body, int flag, int checksum, int opaque) {
        return "put test %d %d %d %d %d\r\n%s"
                .formatted(partition, body.length(), flag, checksum, opaque, body);
    }

    @Test
    void shouldPutAndGetAsRecorded() throws IOException {
        exchange(
                put(1, "\0\0\0\5attr0hello-0", 1, 545836126, -2147483648),
                "result 200 <n> -2147483648",
                ID + " 1 0");
        RawClient.Answer data = client.ask("get test g7483 1 0 1048576 -2147482616\r\n");
        assertThat(data.line()).isEqualTo("value 36 -2147482616");
        byte[] message = data.body();
        assertThat(Arrays.copyOf(message, 8))
                .containsExactly(0, 0, 0, 0x10, 0x20, 0x88, 0xcc, 0x5e);
        assertThat(new String(message, 16, 20, StandardCharsets.ISO_8859_1))
                .isEqualTo("\0\0\0\1\0\0\0\5attr0hello-0");
        exchange(
                "get test g7483 1 36 1048576 -2147482615\r\n",
                "result 404 <n> -2147482615",
                "Could not find message at position 36");
        exchange("get test g 1 9223372036854775807 1024 36\r\n", "result 301 2 36", "36");
        exchange("get test g 1 0 0 36\r\n", "result 400 <n> 36", "Bad request,invalid max size:0");
        exchange(
                "get test g 5 0 100 36\r\n",
                "result 404 <n> 36",
                "The topic `test` in partition `5` is not exists");
        exchange(put(9, "ltx-1", 0, -1, 3), "result 500 <n> 3", failed(9));
        exchange(put(1, "ltx-1", 0, 77, 3), "result 500 <n> 3", failed(1));
        // an old client's put has no checksum
        exchange("put test 1 5 0 4\r\nltx-1", "result 200 <n> 4", ID + " 1 36");
    }

    private String failed(int partition) {
        return "Put message to [broker 'meta://127.0.0.1:%d'] [partition 'test-%d'] failed.Detail:"
                        .formatted(server.port(), partition)
                + WHY;
    }

    @Test
    void shouldAnswerTheStartOfASegmentAsRecorded() throws IOException {
        String body = "x".repeat(100);
        for (int i = 0; i < 40; i++) {
            client.ask(put(0, body, 0, -1, i));
        }
        exchange("offset test g 0 3000 98\r\n", "result 200 4 98", "2040");
        exchange("offset test g 0 -5 98\r\n", "result 200 1 98", "0");
        exchange("offset test g 0 999999 98\r\n", "result 200 4 98", "4800");
        exchange(
                "offset test g 7 0 98\r\n",
                "result 404 <n> 98",
                "The topic `test` in partition `7` is not exists");
    }

    @Test
    void shouldRunALocalTransactionAsRecorded() throws IOException {
        String key = "TX:127.0.0.1-1795957845996-1:1";
        client.ask(put(0, "first", 0, -1, 1));
        exchange(
                "transaction " + key + " 127.0.0.1-1795957845996-1 BEGIN -2147482647\r\n",
                "result 200 0 -2147482647",
                "");
        exchange(
                "put test 0 5 0 1437284775 " + key + " -2147482646\r\nltx-1",
                "result 200 <n> -2147482646",
                ID + " 0 -1");
        exchange(
                "transaction "
                        + key
                        + " 127.0.0.1-1795957845996-1 COMMIT_ONE_PHASE -2147482644\r\n",
                "result 200 0 -2147482644",
                "");
        exchange(
                "put test 0 5 0 -1 TX:a:1 4\r\nltx-1",
                "result 500 48 4",
                "Local transaction 'TX:a:1' has not been started.");
    }

    @Test
    void shouldRunAnXaBranchAsRecorded() throws IOException {
        client.ask(put(0, "first", 0, -1, 1));
        exchange(xa(XID, "BEGIN 30", -2147482640), "result 200 0 -2147482640", "");
        exchange("put test 0 5 0 -1 " + XID + " 5\r\nxtx-1", "result 200 <n> 5", ID + " 0 -1");
        // END has no reply: the next one is that of PREPARE
        client.send(xa(XID, "END", -2147482638));
        exchange(xa(XID, "PREPARE", -2147482637), "result 200 1 -2147482637", "0");
        exchange(
                "transaction null " + SESSION + " RECOVER XAMessageProducer-vm -2147482636\r\n",
                "result 200 42 -2147482636",
                XID);
        exchange(xa(XID, "COMMIT_TWO_PHASE", -2147482635), "result 200 0 -2147482635", "");
        exchange(
                xa(XID.replace("fe01:0109", "fe03:0309"), "COMMIT_TWO_PHASE", -2147482626),
                "result 500 105 -2147482626",
                "XAException:code=-4,msg=XA transaction"
                        + " 'XID:100:0102fe03:0309:XAMessageProducer-vm' has not been started.");
        exchange("get test g 0 50 1024 9\r\n", "result 404 <n> 9", notFound(50));
    }

    private static String xa(String xid, String type, int opaque) {
        return "transaction %s %s %s XAMessageProducer-vm %d\r\n"
                .formatted(xid, SESSION, type, opaque);
    }

    private static String notFound(long offset) {
        return "Could not find message at position " + offset;
    }

    @Test
    void shouldTellItsStatisticsAsRecorded() throws IOException {
        client.ask(put(0, "first", 0, -1, 1));
        RawClient.Answer answer = client.ask("stats  50\r\n");
        assertThat(answer.line()).isEqualTo("result 200 " + answer.body().length + " 50");
        assertThat(answer.text().lines().map(line -> line.split(" ")[0]))
                .startsWith(
                        "STATS",
                        "pid",
                        "broker_id",
                        "port",
                        "uptime",
                        "version",
                        "slave",
                        "curr_connections",
                        "threads",
                        "cmd_put",
                        "cmd_get",
                        "cmd_offset",
                        "tx_begin",
                        "tx_xa_begin",
                        "tx_commit",
                        "tx_rollback",
                        "get_miss",
                        "put_failed",
                        "total_messages",
                        "topics",
                        "config_checksum")
                .endsWith("END");
        exchange(
                "stats topics 6\r\n",
                "result 200 <n> 6",
                "STATS\r\ntest partitions 2 message_count 1 message_bytes 25 accept_publish true"
                        + " accept_subscribe true\r\nEND\r\n");
        exchange(
                "stats offsets 6\r\n",
                "result 200 <n> 6",
                "STATS\r\ntest part 0 min_offset 0 max_offset 25\r\n"
                        + "test part 1 min_offset 0 max_offset 0\r\nEND\r\n");
    }

    @Test
    void shouldTreatStrayAndBadInputAsRecorded() throws IOException {
        exchange("v 3\r\n", "result 200 <n> 3", client.ask("version 3\r\n").text());
        client.send("result 200 2 1\r\nok");
        exchange(
                "sync test 0 5 0 9 -1 9\r\nltx-1",
                "result 503 <n> 9",
                "sync is not for this broker: it is no slave");
        // zero-length bodies, and a body that arrives in the line's own packet or later
        exchange("put test 0 0 0 -1 9\r\n", "result 200 <n> 9", ID + " 0 0");
        for (String bad :
                new String[] {
                    "GET test g 0 0 10 1\r\n",
                    "\r\n",
                    "put test\r\n",
                    "get test g x 0 10 1\r\n",
                    "put test 1 2147483648 0 -1 9\r\n",
                    "transaction TX:a:1 s NEVER 1\r\n"
                }) {
            try (RawClient other = new RawClient(server.port())) {
                other.send(bad);
                assertThat(other.isClosedByServer()).as(bad).isTrue();
            }
        }
    }
}
