package org.metaq.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class ClassFileMethodsTest {
    /** Has every kind of constant that javac writes for such code. */
    @SuppressWarnings("unused")
    interface Sample {
        long LONG = 0x1234_5678_9ABCL;
        double DOUBLE = 1.5e300;
        String TEXT = "a text";

        void zebra();

        default Runnable apple(long value) {
            return () -> System.out.println(value + LONG + DOUBLE + TEXT + 1.5f + 1_000_000);
        }

        int mango();

        int mango(int overloaded);

        void apple();
    }

    @Test
    void shouldListMethodsInTheOrderOfTheSource() throws IOException {
        try (InputStream in =
                Sample.class.getResourceAsStream("ClassFileMethodsTest$Sample.class")) {
            assertThat(ClassFileMethods.read(new DataInputStream(in)))
                    .filteredOn(name -> !name.contains("$"))
                    .containsExactly("zebra", "apple", "mango", "mango", "apple");
        }
    }

    @Test
    void shouldRefuseWhatIsNoClassFile() {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(new byte[100]));
        assertThatThrownBy(() -> ClassFileMethods.read(in))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a class file");
    }
}
