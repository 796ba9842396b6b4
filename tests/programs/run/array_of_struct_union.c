// Arrays of structures holding unions and nested arrays: initialisation, copy, traversal, checksums.
#include <stdio.h>
#include <string.h>

enum tag { T_I, T_F, T_S, T_V };
struct item {
    enum tag tag;
    union {
        int i;
        float f;
        char s[12];
        struct { short x, y, z; } v;
    } u;
    unsigned char pad[4];
};
struct box { struct item items[3]; int n; };

static struct item mk(int k)
{
    struct item it;
    memset(&it, 0, sizeof it);
    it.tag = (enum tag)(k & 3);
    switch (it.tag) {
    case T_I: it.u.i = k * -1001; break;
    case T_F: it.u.f = (float)k / 8; break;
    case T_S: snprintf(it.u.s, sizeof it.u.s, "item%d", k); break;
    case T_V: it.u.v.x = (short)k; it.u.v.y = (short)(k * k); it.u.v.z = (short)~k; break;
    }
    it.pad[k % 3] = (unsigned char)k;
    return it;
}

static void show(const struct item *p)
{
    switch (p->tag) {
    case T_I: printf("i%d ", p->u.i); break;
    case T_F: printf("f%g ", p->u.f); break;
    case T_S: printf("s%s ", p->u.s); break;
    case T_V: printf("v%d,%d,%d ", p->u.v.x, p->u.v.y, p->u.v.z); break;
    }
}

static unsigned sum(const void *p, size_t n) { const unsigned char *c = p; unsigned h = 1; while (n--) h = h * 131 + *c++; return h; }

int main(void)
{
    struct box b[4];
    memset(b, 0, sizeof b);
    for (int i = 0; i < 4; i++)
        for (b[i].n = 0; b[i].n < 3; b[i].n++)
            b[i].items[b[i].n] = mk(i * 3 + b[i].n);
    for (int i = 0; i < 4; i++) {
        for (struct item *p = b[i].items; p < b[i].items + b[i].n; p++)
            show(p);
        puts("");
    }
    printf("%zu %zu %u\n", sizeof(struct item), sizeof b, sum(b, sizeof b));
    struct box t = b[0];
    b[0] = b[3];
    b[3] = t;
    struct item it = b[1].items[2];
    b[1].items[2] = b[2].items[0];
    b[2].items[0] = it;
    b[0].items[0].u.v.y += 5;
    b[2].items[1].u.s[0] = 'I';
    for (int i = 0; i < 4; i++)
        printf("%u ", sum(&b[i], sizeof b[i]));
    puts("");
    static const struct item k[] = {{T_I, {.i = 5}, {1, 2, 3}}, {T_V, {.v = {1, 2, 3}}, {0}}, {.tag = T_S, .u = {.s = "const"}}};
    for (int i = 0; i < 3; i++)
        show(&k[i]);
    puts("");
    return 0;
}
