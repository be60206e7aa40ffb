package org.metaq.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderFileTest {
    private static final String HEADER =
            "order,placed,customer,city,country,item,quantity,unit_price,currency,express";

    @TempDir Path directory;

    @Test
    void shouldBringTenThousandOrdersWithoutTheHeader() throws IOException {
        List<String> orders = read(OrderFile.bundled());

        assertThat(orders).hasSize(10_000).doesNotHaveDuplicates();
        assertThat(orders.get(0)).startsWith("100001,");
    }

    @Test
    void shouldTakeEveryLineForAnOrderButTheBundledHeaderAtTheStart() throws IOException {
        assertThat(read(file("a,b\n\n1,2\n"))).containsExactly("a,b", "", "1,2");
        assertThat(read(file(HEADER + "\n1\n" + HEADER + "\n"))).containsExactly("1", HEADER);
        assertThat(read(file(HEADER + "\n"))).isEmpty();
    }

    private OrderFile file(String text) throws IOException {
        return OrderFile.of(Files.writeString(directory.resolve("orders"), text));
    }

    private static List<String> read(OrderFile file) throws IOException {
        List<String> orders = new ArrayList<>();
        try (OrderFile.Lines lines = file.open()) {
            for (String order = lines.next(); order != null; order = lines.next()) {
                orders.add(order);
            }
        }
        return orders;
    }
}
