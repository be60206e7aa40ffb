package org.metaq.selector;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a {@link Token} is; the name of a keyword is the keyword. */
enum TokenType {
    /** Behind the last one. */
    END,
    IDENTIFIER,
    NUMBER,
    STRING,
    OPEN("("),
    CLOSE(")"),
    COMMA(","),
    PLUS("+"),
    MINUS("-"),
    STAR("*"),
    SLASH("/"),
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    NULL,
    TRUE,
    FALSE,
    NOT,
    AND,
    OR,
    BETWEEN,
    LIKE,
    IN,
    IS,
    ESCAPE;

    private static final Map<String, TokenType> KEYWORDS =
            Stream.of(NULL, TRUE, FALSE, NOT, AND, OR, BETWEEN, LIKE, IN, IS, ESCAPE)
                    .collect(Collectors.toUnmodifiableMap(TokenType::name, type -> type));

    private final String symbol;

    TokenType() {
        this("");
    }

    TokenType(String symbol) {
        this.symbol = symbol;
    }

    /** The keyword that a word is, whatever its case, else null. */
    static @Nullable TokenType ofKeyword(String word) {
        // Other scripts have letters whose upper case is an ASCII letter.
        boolean isAscii = word.chars().allMatch(c -> c < 128);
        return isAscii ? KEYWORDS.get(word.toUpperCase(Locale.ROOT)) : null;
    }

    /** Of a symbol, its length; 0 of the others. */
    int symbolLength() {
        return symbol.length();
    }
}
