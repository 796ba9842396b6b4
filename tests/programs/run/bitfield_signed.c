// Signed and unsigned bit-fields: truncation on store, sign extension on load.
#include <stdio.h>

struct S {
    signed int a : 3;
    unsigned int b : 3;
    signed int c : 1;
    unsigned int d : 1;
    signed int e : 13;
    unsigned int f : 11;
};

static void show(const char *tag, const struct S *s)
{
    printf("%s: a=%d b=%u c=%d d=%u e=%d f=%u\n", tag, s->a, s->b, s->c, s->d, s->e, s->f);
}

int main(void)
{
    struct S s = {0};
    show("zero", &s);
    for (int i = -5; i <= 9; i++) {
        s.a = i;
        s.b = (unsigned)i;
        s.c = i;
        s.d = (unsigned)i;
        s.e = i * 1000;
        s.f = (unsigned)(i * 1000);
        show("loop", &s);
    }
    s.a = 3;
    s.b = 7;
    s.b++;
    show("wrap b", &s);
    s.e = -4096;
    s.e = s.e - 1;
    show("wrap e", &s);
    s.f -= s.f + 1u;
    show("max f", &s);
    s.a = -1;
    s.e |= 0x555;
    s.e ^= -1;
    show("ops", &s);
    int six = 6, r = (s.a = six);
    printf("assignment value %d\n", r);
    unsigned u = (s.b += 9);
    printf("compound value %u\n", u);
    printf("post %d", s.a++);
    printf(" then %d\n", s.a);
    printf("pre %d\n", --s.a);
    printf("promotion: %d %d\n", s.b - 8 < 0, -1 < (int)s.f);
    printf("size %zu\n", sizeof s);
    return 0;
}
