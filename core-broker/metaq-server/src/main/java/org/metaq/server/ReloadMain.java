package org.metaq.server;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.metaq.protocol.Reply;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Main class of {@code metaq reload}: has a broker on this machine read its {@code server.ini}
 * again, and prints what changed. Exit status: 0 if it took effect, 1 if the broker refused or
 * cannot be reached, 2 for a wrong command line.
 */
@Command(
        name = "reload",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Has a broker on this machine read its configuration file again.")
public final class ReloadMain implements Callable<Integer> {
    @Mixin private AdminAddress address = new AdminAddress();

    private ReloadMain() {}

    /** Reloads and ends the process. */
    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Reloads; the exit status. */
    static int execute(String... args) {
        return new CommandLine(new ReloadMain()).execute(args);
    }

    @Override
    public Integer call() {
        try (AdminClient client = address.connect()) {
            return print(client.ask(new org.metaq.protocol.Command.Reload(AdminClient.OPAQUE)));
        } catch (IOException e) {
            System.err.println("metaq reload: " + e.getMessage());
            return 1;
        }
    }

    private static int print(Reply reply) throws IOException {
        if (!(reply instanceof Reply.Result result)) {
            throw new IOException("not a broker of MetaQ: it answered with data");
        }
        if (result.isOk()) {
            System.out.println(result.text());
            return 0;
        }
        System.err.println("metaq reload: nothing was changed: " + result.text());
        return 1;
    }
}
