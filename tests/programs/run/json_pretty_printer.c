// A recursive JSON reader that pretty-prints, with error positions; heap-allocated values.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct val { char type; double num; char *str; struct val **kid; char **key; int n; };
static const char *s, *start;
static int live;

static void *get(size_t n) { live++; return calloc(1, n); }
static void ws(void) { while (isspace((unsigned char)*s)) s++; }
static void drop(struct val *v)
{
    if (!v) return;
    for (int i = 0; i < v->n; i++) { drop(v->kid[i]); if (v->key && v->key[i]) { free(v->key[i]); live--; } }
    if (v->str) { free(v->str); live--; }
    free(v->kid);
    free(v->key);
    free(v);
    live--;
}
static char *string(void)
{
    const char *b = ++s;
    while (*s && *s != '"') s += *s == '\\' && s[1] ? 2 : 1;
    if (!*s) return NULL;
    char *r = get((size_t)(s - b) + 1), *o = r;
    for (; b < s; b++) { if (*b == '\\') { b++; *o++ = *b == 'n' ? '\n' : *b; } else *o++ = *b; }
    s++;
    return r;
}
static struct val *value(void)
{
    ws();
    struct val *v = get(sizeof *v);
    v->type = *s;
    if (*s == '{' || *s == '[') {
        char close = *s++ == '{' ? '}' : ']';
        for (ws(); *s != close; ws()) {
            v->kid = realloc(v->kid, (size_t)(v->n + 1) * sizeof *v->kid);
            v->key = realloc(v->key, (size_t)(v->n + 1) * sizeof *v->key);
            v->key[v->n] = NULL;
            v->kid[v->n++] = NULL;
            if (close == '}') {
                if (*s != '"' || !(v->key[v->n - 1] = string())) goto bad;
                ws();
                if (*s++ != ':') { s--; goto bad; }
            }
            if (!(v->kid[v->n - 1] = value())) goto bad;
            ws();
            if (*s == ',') s++; else if (*s != close) goto bad;
        }
        s++;
        return v;
    }
    if (*s == '"') { if ((v->str = string())) return v; goto bad; }
    if (isdigit((unsigned char)*s) || *s == '-') { char *e; v->type = '0'; v->num = strtod(s, &e); s = e; return v; }
    for (int i = 0; i < 3; i++) { static const char *const w[] = {"true", "false", "null"}; if (!strncmp(s, w[i], strlen(w[i]))) { s += strlen(w[i]); return v; } }
bad:
    drop(v);
    return NULL;
}
static void show(const struct val *v)
{
    switch (v->type) {
    case '0': printf("%g", v->num); break;
    case '"': printf("\"%s\"", v->str); break;
    case '{': case '[':
        putchar(v->type);
        for (int i = 0; i < v->n; i++) { printf(i ? ", " : ""); if (v->key[i]) printf("%s: ", v->key[i]); show(v->kid[i]); }
        putchar(v->type + 2);
        break;
    default: putchar(v->type);
    }
}
int main(void)
{
    const char *t[] = {"{\"a\": [1, -2.5e3, true, null], \"b\": {\"c\": \"x\\\"y\"}, \"d\": []}", "[[[[]]]]", "\"plain\"", "[1, 2", "{\"k\" 1}", "[1,,2]", "nul"};
    for (int i = 0; i < 7; i++) {
        s = start = t[i];
        struct val *v = value();
        if (v) show(v); else printf("error at %td", s - start);
        printf(" (%d live)", live);
        drop(v);
        printf(" -> %d\n", live);
    }
    return live;
}
