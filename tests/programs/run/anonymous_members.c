// Anonymous structures and unions, nested, with initialisers and member pointers.
#include <stddef.h>
#include <stdio.h>

struct value {
    enum { INT, REAL, TEXT, PAIR } kind;
    union {
        long i;
        double r;
        const char *t;
        struct { short left, right; struct { char tag; }; };
    };
    int line;
};

struct rgba { union { struct { unsigned char r, g, b, a; }; unsigned char ch[4]; unsigned word; }; };

static void show(const struct value *v)
{
    switch (v->kind) {
    case INT: printf("int %ld", v->i); break;
    case REAL: printf("real %g", v->r); break;
    case TEXT: printf("text %s", v->t); break;
    case PAIR: printf("pair %d,%d,%c", v->left, v->right, v->tag); break;
    }
    printf(" @%d\n", v->line);
}

int main(void)
{
    struct value v[] = {
        {INT, {.i = 123456789012L}, 1},
        {REAL, {.r = 2.5}, 2},
        {.kind = TEXT, .t = "hello", .line = 3},
        {.kind = PAIR, .left = -7, .right = 8, .tag = 'q', .line = 4},
    };
    for (int i = 0; i < 4; i++)
        show(&v[i]);
    short *ps = &v[3].right;
    *ps *= 100;
    v[3].tag++;
    show(&v[3]);
    v[0].kind = TEXT;
    v[0].t = "changed";
    show(&v[0]);
    printf("%zu %zu %zu %zu %zu\n", sizeof v[0], offsetof(struct value, i), offsetof(struct value, right),
           offsetof(struct value, tag), offsetof(struct value, line));
    struct rgba c = {.word = 0x11223344};
    printf("%x %x %x %x\n", c.r, c.g, c.b, c.a);
    c.ch[2] = 0xff;
    c.a = 0;
    printf("%08x\n", c.word);
    unsigned sum = 0;
    for (int i = 0; i < 256; i += 5) {
        c.r = (unsigned char)i;
        c.g = (unsigned char)(c.r * 3);
        c.b ^= c.g;
        sum = sum * 17 + c.word;
    }
    printf("%u\n", sum);
    return 0;
}
