package org.metaq.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metaq.common.BranchId;
import org.metaq.protocol.BodyReader;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.Command.DecideBranch;
import org.metaq.protocol.Command.Decision;
import org.metaq.protocol.Command.Open;
import org.metaq.protocol.CommandCodec;
import org.metaq.protocol.ErrorCode;
import org.metaq.protocol.ProtocolException;
import org.metaq.protocol.Reply;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/**
 * Main class of {@code metaq transactions}: shows the branches of a broker on this machine, and
 * decides over those that are in doubt. Exit status: 0 if it was done, 1 if the broker cannot be
 * reached or it is not known whether it was done, 2 for a wrong command line, 3 if there is no such
 * branch, 4 if it is in no state for this.
 */
@Command(
        name = "transactions",
        mixinStandardHelpOptions = true,
        subcommands = {
            TransactionsMain.ListBranches.class,
            TransactionsMain.Show.class,
            TransactionsMain.Commit.class,
            TransactionsMain.Rollback.class,
            TransactionsMain.Forget.class
        },
        description =
                "Shows the transactions of a broker on this machine, and settles in-doubt ones.",
        exitCodeListHeading = "Exit status:%n",
        exitCodeList = {
            "0:done",
            "1:the broker cannot be reached, or it is not known whether it was done",
            "2:wrong command line",
            "3:there is no such branch",
            "4:the branch is in no state for this"
        })
public final class TransactionsMain {
    private static final int STATUS_FAILED = 1;
    private static final int STATUS_NO_BRANCH = 3;
    private static final int STATUS_WRONG_STATE = 4;

    /** Never seen: picocli lets nobody leave out a parameter. */
    private static final BranchId NONE_GIVEN = BranchId.local("none", 0);

    private TransactionsMain() {}

    /** Does what is asked and ends the process. */
    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Does what is asked; the exit status. */
    static int execute(String... args) {
        CommandLine line = new CommandLine(new TransactionsMain());
        line.registerConverter(BranchId.class, TransactionsMain::xid);
        line.setExecutionExceptionHandler(
                (failure, where, parsed) -> {
                    if (failure instanceof RefusedException || failure instanceof IOException) {
                        System.err.println("metaq transactions: " + failure.getMessage());
                        return failure instanceof RefusedException refused
                                ? refused.status()
                                : STATUS_FAILED;
                    }
                    throw failure;
                });
        return line.execute(args);
    }

    private static BranchId xid(String text) {
        if (text.chars().noneMatch(c -> c <= ' ')) {
            try {
                return BranchId.parse(text);
            } catch (IllegalArgumentException e) {
                // said below
            }
        }
        throw new TypeConversionException(
                "'"
                        + text
                        + "' is no Xid; give it as `list` prints it:"
                        + " XID:<format>:<global id, hex>:<branch qualifier, hex>:");
    }

    /** The broker did not do it. */
    private static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final @Nullable ErrorCode code;

        RefusedException(Reply.Result result) {
            super(result.text());
            code = result.error();
        }

        int status() {
            return code == ErrorCode.XAER_NOTA
                    ? STATUS_NO_BRANCH
                    : code == ErrorCode.XAER_PROTO ? STATUS_WRONG_STATE : STATUS_FAILED;
        }
    }

    /** Which broker, and in whose name. */
    static final class Place {
        @Mixin private AdminAddress address = new AdminAddress();

        @Option(
                names = "--user",
                paramLabel = "USER",
                description = "Whose name the audit log gets; needed where allowAnonymous = false.")
        private String user = "";

        @Option(
                names = "--password-file",
                paramLabel = "FILE",
                description = "File whose first line is the password of the user.")
        private @Nullable Path passwordFile;

        /** Connects, in the name of the user if one is given. */
        AdminClient connect() throws IOException, RefusedException {
            String password = password();
            AdminClient client = address.connect();
            try {
                if (!user.isEmpty()) {
                    int version = CommandCodec.PROTOCOL_VERSION;
                    text(client.ask(new Open(version, user, password, "", AdminClient.OPAQUE)));
                }
                return client;
            } catch (IOException | RefusedException e) {
                client.close();
                throw e;
            }
        }

        private String password() throws IOException {
            Path from = passwordFile;
            if (from == null) {
                return "";
            }
            try (BufferedReader reader = Files.newBufferedReader(from)) {
                String line = reader.readLine();
                return line == null ? "" : line;
            }
        }
    }

    private static String text(Reply reply) throws IOException, RefusedException {
        if (!(reply instanceof Reply.Result result)) {
            throw new IOException("not a broker of MetaQ: it answered with data");
        }
        if (!result.isOk()) {
            throw new RefusedException(result);
        }
        return result.text();
    }

    private static BranchStatus status(AdminClient client, BranchId id)
            throws IOException, RefusedException {
        Reply reply = client.ask(new org.metaq.protocol.Command.ShowBranch(id, AdminClient.OPAQUE));
        if (!(reply instanceof Reply.Value value)) {
            throw new RefusedException((Reply.Result) reply);
        }
        try {
            BodyReader in = new BodyReader(value.body());
            BranchStatus status = BranchStatus.read(in);
            in.end();
            return status;
        } catch (ProtocolException e) {
            throw new IOException("the broker is of another release: " + e.getMessage(), e);
        }
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description =
                    "Lists transactions: those in doubt, those that somebody works on, and those"
                            + " that an operator settled and nobody has forgotten.")
    static final class ListBranches implements Callable<Integer> {
        @Mixin private Place place = new Place();

        @Option(names = "--in-doubt", description = "Only those in doubt.")
        private boolean inDoubt;

        @Option(names = "--json", description = "As a JSON array.")
        private boolean json;

        @Override
        public Integer call() throws IOException, RefusedException {
            List<BranchStatus> statuses;
            try (AdminClient client = place.connect()) {
                statuses = statuses(client);
            }
            if (json) {
                System.out.println(BranchText.json(statuses));
            } else if (statuses.isEmpty()) {
                System.out.println(inDoubt ? "nothing is in doubt" : "there are no transactions");
            } else {
                System.out.println(BranchText.table(statuses));
            }
            return 0;
        }

        /** One after the other, so that clients are served between; oldest first. */
        private List<BranchStatus> statuses(AdminClient client)
                throws IOException, RefusedException {
            String keys =
                    text(
                            client.ask(
                                    new org.metaq.protocol.Command.ListBranches(
                                            inDoubt, AdminClient.OPAQUE)));
            List<BranchStatus> statuses = new ArrayList<>();
            for (String key : keys.lines().toList()) {
                try {
                    statuses.add(status(client, BranchId.parse(key)));
                } catch (RefusedException e) {
                    if (e.status() != STATUS_NO_BRANCH) {
                        throw e;
                    }
                    // it ended meanwhile
                }
            }
            statuses.sort(Comparator.comparingLong(BranchStatus::sinceMs));
            return statuses;
        }
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows all about one transaction.")
    static final class Show implements Callable<Integer> {
        @Mixin private Place place = new Place();

        @Parameters(paramLabel = "XID", description = "As list prints it.")
        private BranchId xid = NONE_GIVEN;

        @Option(names = "--json", description = "As a JSON object.")
        private boolean json;

        @Override
        public Integer call() throws IOException, RefusedException {
            try (AdminClient client = place.connect()) {
                BranchStatus status = status(client, xid);
                System.out.println(json ? BranchText.json(status) : BranchText.page(status));
                return 0;
            }
        }
    }

    /** A command that decides. */
    abstract static class Deciding implements Callable<Integer> {
        @Mixin private Place place = new Place();

        @Parameters(paramLabel = "XID", description = "As list prints it.")
        private BranchId xid = NONE_GIVEN;

        private final Decision decision;

        Deciding(Decision decision) {
            this.decision = decision;
        }

        @Override
        public final Integer call() throws IOException, RefusedException {
            try (AdminClient client = place.connect()) {
                DecideBranch command = new DecideBranch(xid, decision, AdminClient.OPAQUE);
                System.out.println(text(client.ask(command)));
                return 0;
            }
        }
    }

    @Command(
            name = "commit",
            mixinStandardHelpOptions = true,
            description =
                    "Commits a transaction that is in doubt, whatever its transaction manager will"
                            + " say; that is told so until it, or forget, forgets it.")
    static final class Commit extends Deciding {
        Commit() {
            super(Decision.COMMIT);
        }
    }

    @Command(
            name = "rollback",
            mixinStandardHelpOptions = true,
            description =
                    "Rolls back a transaction that is in doubt, whatever its transaction manager"
                            + " will say; that is told so until it, or forget, forgets it.")
    static final class Rollback extends Deciding {
        Rollback() {
            super(Decision.ROLLBACK);
        }
    }

    @Command(
            name = "forget",
            mixinStandardHelpOptions = true,
            description =
                    "Forgets what was decided over a transaction: its transaction manager is not"
                            + " told any more.")
    static final class Forget extends Deciding {
        Forget() {
            super(Decision.FORGET);
        }
    }
}
