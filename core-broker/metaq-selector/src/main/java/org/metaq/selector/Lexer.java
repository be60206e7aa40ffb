package org.metaq.selector;

/** Cuts the text of a selector into tokens. Confined to one parse. */
final class Lexer {
    private final String text;
    private int at;

    Lexer(String text) {
        this.text = text;
    }

    /**
     * The next token; {@link TokenType#END} behind the last.
     *
     * @throws SelectorSyntaxException if no token starts here
     */
    Token next() throws SelectorSyntaxException {
        while (at < text.length() && isWhiteSpace(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            return new Token(TokenType.END, "", at);
        }
        char c = text.charAt(at);
        if (c == '\'') {
            return string();
        }
        if (isDigit(at) || (c == '.' && isDigit(at + 1))) {
            return number();
        }
        if (Character.isJavaIdentifierStart(text.codePointAt(at))) {
            return word();
        }
        return symbol(c);
    }

    /** White space of the Java language, as Jakarta Messaging 3.1 §3.8.1.1 wants it. */
    private static boolean isWhiteSpace(char c) {
        return c == ' ' || c == '\t' || c == '\f' || c == '\n' || c == '\r';
    }

    private boolean isDigit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    private Token string() throws SelectorSyntaxException {
        int start = at;
        StringBuilder value = new StringBuilder();
        while (true) {
            int quote = text.indexOf('\'', at + 1);
            if (quote < 0) {
                throw new SelectorSyntaxException(
                        start, "the string that starts here has no closing quote");
            }
            value.append(text, at + 1, quote);
            at = quote + 1;
            if (at == text.length() || text.charAt(at) != '\'') {
                return new Token(TokenType.STRING, value.toString(), start);
            }
            value.append('\'');
        }
    }

    /** Everything that could belong to a number; {@link NumericLiteral} says whether it is one. */
    private Token number() {
        int start = at;
        boolean isHex = text.startsWith("0x", start) || text.startsWith("0X", start);
        while (at < text.length()) {
            int point = text.codePointAt(at);
            boolean isExponentsSign =
                    (point == '+' || point == '-') && isExponent(text.charAt(at - 1), isHex);
            if (point != '.' && !isExponentsSign && !Character.isJavaIdentifierPart(point)) {
                break;
            }
            at += Character.charCount(point);
        }
        return new Token(TokenType.NUMBER, text.substring(start, at), start);
    }

    private boolean isExponent(char c, boolean isHex) {
        return isHex ? (c == 'p' || c == 'P') : (c == 'e' || c == 'E');
    }

    private Token word() {
        int start = at;
        while (at < text.length() && Character.isJavaIdentifierPart(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        String word = text.substring(start, at);
        TokenType keyword = TokenType.ofKeyword(word);
        return new Token(keyword != null ? keyword : TokenType.IDENTIFIER, word, start);
    }

    private Token symbol(char c) throws SelectorSyntaxException {
        boolean beforeEqual = text.startsWith("=", at + 1);
        TokenType type =
                switch (c) {
                    case '(' -> TokenType.OPEN;
                    case ')' -> TokenType.CLOSE;
                    case ',' -> TokenType.COMMA;
                    case '+' -> TokenType.PLUS;
                    case '-' -> TokenType.MINUS;
                    case '*' -> TokenType.STAR;
                    case '/' -> TokenType.SLASH;
                    case '=' -> TokenType.EQUAL;
                    case '<' ->
                            text.startsWith(">", at + 1)
                                    ? TokenType.NOT_EQUAL
                                    : beforeEqual ? TokenType.LESS_OR_EQUAL : TokenType.LESS;
                    case '>' -> beforeEqual ? TokenType.GREATER_OR_EQUAL : TokenType.GREATER;
                    default ->
                            throw new SelectorSyntaxException(
                                    at,
                                    "'"
                                            + Character.toString(text.codePointAt(at))
                                            + "' has no meaning in a selector");
                };
        int start = at;
        at += type.symbolLength();
        return new Token(type, text.substring(start, at), start);
    }
}
