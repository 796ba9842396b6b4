// A hand-written tokenizer for a C-like language: numbers, names, strings, operators, comments.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { END, NAME, KEYWORD, NUMBER, STRING, OP, BAD };
static const char *const kinds[] = {"end", "name", "keyword", "number", "string", "op", "bad"};
struct token { enum kind k; const char *s; int len, line; double num; };

static const char *const keywords[] = {"if", "else", "while", "return", "int"};
static const char *const ops[] = {"<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "->", "<<", ">>", "+=", "-="};

static const char *src;
static int line = 1;

static struct token next(void)
{
    for (;;) {
        if (*src == '\n') { line++; src++; }
        else if (isspace((unsigned char)*src)) src++;
        else if (src[0] == '/' && src[1] == '/') { while (*src && *src != '\n') src++; }
        else if (src[0] == '/' && src[1] == '*') {
            for (src += 2; *src && !(src[0] == '*' && src[1] == '/'); src++) line += *src == '\n';
            if (*src) src += 2;
        } else break;
    }
    struct token t = {END, src, 0, line, 0};
    unsigned char c = (unsigned char)*src;
    if (!c) return t;
    if (isalpha(c) || c == '_') {
        while (isalnum((unsigned char)*src) || *src == '_') src++;
        t.k = NAME;
        for (unsigned i = 0; i < sizeof keywords / sizeof *keywords; i++)
            if ((size_t)(src - t.s) == strlen(keywords[i]) && !memcmp(t.s, keywords[i], (size_t)(src - t.s))) t.k = KEYWORD;
    } else if (isdigit(c)) {
        char *e;
        t.k = NUMBER;
        t.num = strtod(src, &e);
        src = e;
    } else if (c == '"') {
        for (src++; *src && *src != '"' && *src != '\n'; src++) if (*src == '\\' && src[1]) src++;
        t.k = *src == '"' ? STRING : BAD;
        if (*src == '"') src++;
    } else {
        size_t n = 1;
        for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
            if (!strncmp(src, ops[i], strlen(ops[i]))) { n = strlen(ops[i]); break; }
        t.k = n > 1 || strchr("+-*/%<>=!&|^~?:;,.(){}[]", c) ? OP : BAD;
        src += n;
    }
    t.len = (int)(src - t.s);
    return t;
}

int main(void)
{
    src = "int main(void) { // comment\n  x1 = 0x1F + 3.5e2; /* multi\n line */ y <<= 2;\n"
          "  if (a->b != \"str\\\"ing\") return -1 && !z++;\n  @ while_ else 007 1.5.2 \"open\n}";
    int count[BAD + 1] = {0};
    for (struct token t;;) {
        t = next();
        count[t.k]++;
        printf("%d:%s:%.*s", t.line, kinds[t.k], t.len, t.s);
        if (t.k == NUMBER) printf("=%g", t.num);
        puts("");
        if (t.k == END) break;
    }
    for (int i = 0; i <= BAD; i++) printf("%s %d ", kinds[i], count[i]);
    puts("");
    return 0;
}
