// A growing string builder with insertion, deletion, reversal and formatted append.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sb { char *p; size_t n, cap; int grows; };

static void need(struct sb *s, size_t extra)
{
    if (s->n + extra + 1 <= s->cap)
        return;
    while (s->n + extra + 1 > s->cap)
        s->cap = s->cap ? s->cap * 2 : 16;
    s->p = realloc(s->p, s->cap);
    s->grows++;
}
static void put(struct sb *s, const char *t, size_t n) { need(s, n); memcpy(s->p + s->n, t, n); s->p[s->n += n] = 0; }
static void fmt(struct sb *s, const char *f, ...)
{
    va_list ap, bp;
    va_start(ap, f);
    va_copy(bp, ap);
    int n = vsnprintf(NULL, 0, f, ap);
    va_end(ap);
    need(s, (size_t)n);
    vsnprintf(s->p + s->n, (size_t)n + 1, f, bp);
    va_end(bp);
    s->n += (size_t)n;
}
static void insert(struct sb *s, size_t at, const char *t)
{
    size_t n = strlen(t);
    need(s, n);
    memmove(s->p + at + n, s->p + at, s->n - at + 1);
    memcpy(s->p + at, t, n);
    s->n += n;
}
static void cut(struct sb *s, size_t at, size_t n) { memmove(s->p + at, s->p + at + n, s->n - at - n + 1); s->n -= n; }
static void reverse(struct sb *s) { for (size_t i = 0, j = s->n; i + 1 < j; i++) { char c = s->p[i]; s->p[i] = s->p[--j]; s->p[j] = c; } }

int main(void)
{
    struct sb s = {0};
    put(&s, "hello", 5);
    fmt(&s, ", %s! %d%%", "world", 100);
    puts(s.p);
    insert(&s, 5, " big wide");
    insert(&s, 0, ">> ");
    insert(&s, s.n, " <<");
    puts(s.p);
    cut(&s, 3, 6);
    puts(s.p);
    reverse(&s);
    puts(s.p);
    for (int i = 0; i < 100; i++) {
        fmt(&s, "%x", i * i);
        if (i % 10 == 9)
            cut(&s, (size_t)i / 2, 7);
    }
    unsigned h = 0;
    for (size_t i = 0; i < s.n; i++)
        h = h * 131 + (unsigned char)s.p[i];
    printf("%zu %zu %d %u\n%s\n", s.n, s.cap, s.grows, h, s.p);
    free(s.p);
    return 0;
}
