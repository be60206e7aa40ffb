package org.metaq.samples.ordersdemo;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.metaq.container.AppServer;

/**
 * Customers: threads that place orders. One that got no answer, or an error, places the same order
 * again until it is taken.
 */
final class OrderClients implements AutoCloseable {
    private static final int CLIENTS = 4;
    private static final int PAUSE_MS = 100;
    private static final int OK = 200;

    private final AppServer server;
    private final int count;
    private final AtomicInteger next = new AtomicInteger(1);
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    OrderClients(AppServer server, int count) {
        this.server = server;
        this.count = count;
    }

    void start() {
        for (int i = 1; i <= CLIENTS; i++) {
            Thread thread = new Thread(this::placeOrders, "orders-client-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void placeOrders() {
        try {
            for (int id = next.getAndIncrement(); id <= count; id = next.getAndIncrement()) {
                while (!isTaken(id)) {
                    repeated.incrementAndGet();
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
                }
                accepted.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the demo ends
        }
    }

    private boolean isTaken(int id) throws InterruptedException {
        try {
            HttpResponse<String> answer = server.put("/orders/orders/" + id, "chair " + id);
            return answer.statusCode() == OK;
        } catch (IOException e) {
            return false; // no answer: the order may have been taken, or not
        }
    }

    /** Orders that the server said it took. */
    int accepted() {
        return accepted.get();
    }

    /** How often an order was placed again. */
    int repeated() {
        return repeated.get();
    }

    @Override
    public void close() throws InterruptedException {
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
