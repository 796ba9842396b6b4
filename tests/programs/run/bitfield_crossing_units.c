// Bit-fields that fill and cross storage units of several declared types.
#include <stdio.h>
#include <string.h>

struct A { unsigned a : 20; unsigned b : 20; unsigned c : 20; };
struct B { unsigned long long a : 33; unsigned long long b : 31; unsigned long long c : 40; unsigned long long d : 1; };
struct C { unsigned char a : 5; unsigned char b : 5; unsigned short c : 9; unsigned d : 27; };
struct __attribute__((packed)) D { unsigned a : 7; unsigned b : 17; unsigned c : 30; unsigned long long d : 57; };

static void dump(const void *p, size_t n)
{
    const unsigned char *c = p;
    for (size_t i = 0; i < n; i++)
        printf("%02x", c[i]);
    printf(" (%zu)\n", n);
}

int main(void)
{
    struct A a;
    struct B b;
    struct C c;
    struct D d;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&c, 0, sizeof c);
    memset(&d, 0, sizeof d);
    a.a = 0xabcde; a.b = 0x12345; a.c = 0xfedcb;
    b.a = 0x1deadbeefULL; b.b = 0x7abcdef0; b.c = 0x1234567890ULL; b.d = 1;
    c.a = 0x15; c.b = 0x0a; c.c = 0x1a5; c.d = 0x5abcdef;
    d.a = 0x55; d.b = 0x1f0f0; d.c = 0x2aaaaaaa; d.d = 0x123456789abcdefULL;
    dump(&a, sizeof a);
    dump(&b, sizeof b);
    dump(&c, sizeof c);
    dump(&d, sizeof d);
    printf("%x %x %x\n", a.a, a.b, a.c);
    printf("%llx %llx %llx %llx\n", (unsigned long long)b.a, (unsigned long long)b.b,
           (unsigned long long)b.c, (unsigned long long)b.d);
    printf("%x %x %x %x\n", c.a, c.b, c.c, c.d);
    printf("%x %x %x %llx\n", d.a, d.b, d.c, (unsigned long long)d.d);
    for (int i = 0; i < 20; i++) {
        d.a += 13;
        d.b ^= (unsigned)i * 777u;
        d.c -= 0x01010101u;
        d.d = d.d * 3 + (unsigned)i;
    }
    dump(&d, sizeof d);
    return 0;
}
