package org.metaq.samples.quickstart;

import java.nio.file.Path;
import java.util.List;

/**
 * What a worker is told on its command line.
 *
 * @param uri where the broker is
 * @param directory of the database and the transaction log
 * @param orders orders in all: the worker is finished when each is a row
 * @param group orders in one transaction at most
 * @param holdAfter after so many orders one transaction is held between prepare and commit; {@link
 *     #NEVER}: none
 */
record WorkerOptions(String uri, Path directory, int orders, int group, int holdAfter) {
    static final int NEVER = -1;

    List<String> toArguments() {
        return List.of(
                uri,
                directory.toString(),
                Integer.toString(orders),
                Integer.toString(group),
                Integer.toString(holdAfter));
    }

    static WorkerOptions parse(String[] arguments) {
        if (arguments.length != 5) {
            throw new IllegalArgumentException("5 arguments, not " + arguments.length);
        }
        return new WorkerOptions(
                arguments[0],
                Path.of(arguments[1]),
                Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]));
    }
}
