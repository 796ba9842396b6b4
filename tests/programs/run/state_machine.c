// A table-driven state machine that strips comments and strings and counts words and lines.
#include <ctype.h>
#include <stdio.h>

enum state { CODE, SLASH, LINE, BLOCK, STAR, STR, ESC, STATES };
enum cls { C_SLASH, C_STAR, C_NL, C_QUOTE, C_BACK, C_OTHER, CLASSES };

static const unsigned char next[STATES][CLASSES] = {
    [CODE]  = {SLASH, CODE, CODE, STR, CODE, CODE},
    [SLASH] = {LINE, BLOCK, CODE, STR, CODE, CODE},
    [LINE]  = {LINE, LINE, CODE, LINE, LINE, LINE},
    [BLOCK] = {BLOCK, STAR, BLOCK, BLOCK, BLOCK, BLOCK},
    [STAR]  = {CODE, STAR, BLOCK, BLOCK, BLOCK, BLOCK},
    [STR]   = {STR, STR, CODE, CODE, ESC, STR},
    [ESC]   = {STR, STR, STR, STR, STR, STR},
};

static enum cls classify(char c)
{
    switch (c) {
    case '/': return C_SLASH;
    case '*': return C_STAR;
    case '\n': return C_NL;
    case '"': return C_QUOTE;
    case '\\': return C_BACK;
    default: return C_OTHER;
    }
}

int main(void)
{
    const char *text =
        "int a; // first\n"
        "char *s = \"/* not a comment */ \\\" still\"; /* a ** real\n one **/ int b = 6 / 2;\n"
        "x = a /b; /**/ y = \"//\";\n"
        "/* unterminated";
    enum state s = CODE;
    int visits[STATES] = {0}, words = 0, lines = 0, in_word = 0;
    for (const char *p = text; *p; p++) {
        enum state n = (enum state)next[s][classify(*p)];
        visits[n]++;
        if (s == SLASH && n == CODE)
            putchar('/');
        if (n == CODE && s != STAR && !(s == STR)) {
            putchar(*p);
            if (isalpha((unsigned char)*p)) { words += !in_word; in_word = 1; } else in_word = 0;
        } else if (n == CODE && s == STR) {
            printf("<s>");
        }
        lines += *p == '\n';
        s = n;
    }
    printf("\nend state %d words %d lines %d\n", s, words, lines);
    for (int i = 0; i < STATES; i++)
        printf("%d ", visits[i]);
    puts("");
    return (int)s;
}
