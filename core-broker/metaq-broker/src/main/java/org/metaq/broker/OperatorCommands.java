package org.metaq.broker;

import java.util.List;
import java.util.stream.Collectors;
import org.metaq.common.BranchId;
import org.metaq.protocol.BodyWriter;
import org.metaq.protocol.BranchStatus;
import org.metaq.protocol.Command;
import org.metaq.protocol.ErrorCode;

/**
 * The commands of operators, which are taken from the broker's own machine only. They need no
 * session where connections without a user are served; one that is open tells whose name the audit
 * log gets. Confined to the writer thread.
 */
final class OperatorCommands {
    private final Sequencer sequencer;
    private final BranchReports reports;
    private final Decisions decisions;
    private AdminHandler adminHandler =
            reply -> reply.refused("this broker has no configuration file");

    OperatorCommands(Sequencer sequencer, BranchReports reports, Decisions decisions) {
        this.sequencer = sequencer;
        this.reports = reports;
        this.decisions = decisions;
    }

    void adminHandler(AdminHandler handler) {
        adminHandler = handler;
    }

    static boolean isOne(Command command) {
        return command instanceof Command.Reload || isOfBranches(command);
    }

    /** Those that show or change what clients did. */
    static boolean isOfBranches(Command command) {
        return command instanceof Command.ListBranches
                || command instanceof Command.ShowBranch
                || command instanceof Command.DecideBranch;
    }

    /** Does a command that {@link #isOne}, or refuses it. */
    void handle(BrokerConnection connection, Command command) {
        Answer answer = Answer.to(connection, command.opaque());
        if (!connection.link().isLocal()) {
            answer.refused(
                    ErrorCode.FORBIDDEN,
                    "this is for clients on the broker's own machine, over its loopback address");
            return;
        }
        if (command instanceof Command.Reload) {
            reload(answer);
            return;
        }
        // branches are seen as the commands before this one leave them
        sequencer.applyNow();
        if (command instanceof Command.ListBranches c) {
            answer.ok(lines(reports.list(c.inDoubtOnly())));
        } else if (command instanceof Command.ShowBranch c) {
            show(connection, c, answer);
        } else if (command instanceof Command.DecideBranch c) {
            decisions.decide(
                    c.branch(),
                    c.decision(),
                    new Decisions.Operator(connection.user, connection.link().remoteAddress()),
                    answer);
        }
    }

    private static String lines(List<BranchId> ids) {
        return ids.stream().map(BranchId::toString).collect(Collectors.joining("\r\n"));
    }

    private void show(BrokerConnection connection, Command.ShowBranch c, Answer answer) {
        BranchStatus status = reports.of(c.branch());
        if (status == null) {
            answer.refused(ErrorCode.XAER_NOTA, "no branch " + c.branch());
        } else {
            BodyWriter body = new BodyWriter();
            status.write(body);
            connection.link().value(c.opaque(), body.toBuffer());
        }
    }

    private void reload(Answer answer) {
        adminHandler.reload(
                new AdminHandler.Reply() {
                    @Override
                    public void ok(String text) {
                        answer.ok(text);
                    }

                    @Override
                    public void refused(String text) {
                        answer.refused(ErrorCode.BAD_REQUEST, text);
                    }
                });
    }
}
