// Flexible array members: allocation, growth with realloc, sizeof, records in one buffer.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buf { size_t len, cap; char data[]; };
struct rec { unsigned char kind; unsigned short n; int v[]; };

static struct buf *append(struct buf *b, const char *s)
{
    size_t n = strlen(s);
    if (!b || b->len + n + 1 > b->cap) {
        size_t cap = (b ? b->len : 0) + n + 1;
        cap += cap / 2;
        struct buf *q = realloc(b, offsetof(struct buf, data) + cap);
        if (!q)
            exit(1);
        if (!b)
            q->len = 0;
        q->cap = cap;
        b = q;
    }
    memcpy(b->data + b->len, s, n + 1);
    b->len += n;
    return b;
}

static struct rec *mk(int kind, int n)
{
    struct rec *r = malloc(sizeof *r + (size_t)n * sizeof r->v[0]);
    r->kind = (unsigned char)kind;
    r->n = (unsigned short)n;
    for (int i = 0; i < n; i++)
        r->v[i] = kind * i - n;
    return r;
}

int main(void)
{
    printf("%zu %zu %zu\n", sizeof(struct buf), sizeof(struct rec), offsetof(struct rec, v));
    struct buf *b = NULL;
    char word[8];
    for (int i = 0; i < 60; i++) {
        snprintf(word, sizeof word, "%d,", i * i);
        b = append(b, word);
    }
    printf("%zu %zu\n%s\n", b->len, b->cap, b->data);
    free(b);
    struct rec *all[10];
    unsigned long sum = 0;
    for (int i = 0; i < 10; i++)
        all[i] = mk(i, i * 3);
    for (int i = 9; i >= 0; i--) {
        for (int j = 0; j < all[i]->n; j++)
            sum = sum * 3 + (unsigned)all[i]->v[j];
        sum %= 1000000007;
        free(all[i]);
    }
    printf("sum %lu\n", sum);
    return 0;
}
