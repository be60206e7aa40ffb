package org.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetaQMapAndTextMessageTest {
    private final MetaQMapMessage map = new MetaQMapMessage();
    private final MetaQTextMessage text = new MetaQTextMessage("text");

    @Test
    void shouldReadAbsentAndNullValuesAsValueOfNullDoes() throws JMSException {
        map.setObject("null", null);
        assertThat(map.itemExists("null")).isTrue();
        assertThat(map.itemExists("absent")).isFalse();
        for (String name : List.of("null", "absent")) {
            assertThat(map.getBoolean(name)).isFalse();
            assertThat(map.getString(name)).isNull();
            assertThat(map.getBytes(name)).isNull();
            assertThat(map.getObject(name)).isNull();
            assertThatThrownBy(() -> map.getInt(name)).isInstanceOf(NumberFormatException.class);
            assertThatThrownBy(() -> map.getDouble(name)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> map.getChar(name)).isInstanceOf(NullPointerException.class);
        }
    }

    @Test
    void shouldTakeAnyNameButNullAndEmpty() throws JMSException {
        map.setInt("not an identifier", 1);
        assertThatThrownBy(() -> map.setInt("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> map.setObject(null, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Collections.list(map.getMapNames())).containsExactly("not an identifier");
    }

    @Test
    void shouldKeepItsOwnCopiesOfArrays() throws JMSException {
        byte[] bytes = {1, 2, 3};
        map.setBytes("all", bytes);
        map.setBytes("part", bytes, 1, 2);
        bytes[1] = 9;
        assertThat(map.getBytes("all")).containsExactly(1, 2, 3);
        assertThat(map.getBytes("part")).containsExactly(2, 3);
        map.getBytes("all")[0] = 9;
        ((byte[]) map.getObject("all"))[0] = 9;
        ((byte[]) map.getBody(Map.class).get("all"))[0] = 9;
        assertThat(map.getBytes("all")).containsExactly(1, 2, 3);
    }

    @Test
    void shouldBeReadOnlyAfterReceiptUntilCleared() throws JMSException {
        map.setInt("a", 1);
        map.freeze();
        assertThatThrownBy(() -> map.setInt("a", 2))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> map.setObject("a", List.of()))
                .isInstanceOf(MessageNotWriteableException.class);
        map.clearBody();
        assertThat(map.itemExists("a")).isFalse();
        map.setInt("a", 2);
        text.freeze();
        assertThatThrownBy(() -> text.setText("other"))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThat(text.getText()).isEqualTo("text");
        text.clearBody();
        assertThat(text.getText()).isNull();
        text.setText("other");
        assertThat(text.getText()).isEqualTo("other");
    }

    @Test
    void shouldGiveAMapAsItsBody() throws JMSException {
        assertThat(map.getBody(String.class)).isNull();
        map.setInt("a", 1);
        assertThat((Object) map.getBody(Map.class)).isEqualTo(Map.of("a", 1));
        assertThat(map.getBody(Object.class)).isEqualTo(Map.of("a", 1));
        assertThat(map.isBodyAssignableTo(Map.class)).isTrue();
        assertThat(map.isBodyAssignableTo(HashMap.class)).isFalse();
        assertThatThrownBy(() -> map.getBody(String.class))
                .isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> map.setObject("b", List.of()))
                .isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldGiveATextAsItsBody() throws JMSException {
        assertThat(text.getBody(String.class)).isEqualTo("text");
        assertThat(text.getBody(CharSequence.class)).isEqualTo("text");
        assertThat(text.getBody(Object.class)).isEqualTo("text");
        assertThat(text.isBodyAssignableTo(Integer.class)).isFalse();
        assertThatThrownBy(() -> text.getBody(Integer.class))
                .isInstanceOf(MessageFormatException.class);
        text.setText(null);
        assertThat(text.isBodyAssignableTo(Integer.class)).isTrue();
        assertThat(text.getBody(Integer.class)).isNull();
    }
}
