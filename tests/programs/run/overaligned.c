// Over-aligned objects: automatic, static, members, arrays, aligned_alloc.
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line { alignas(64) int v; char c[5]; };
struct outer { char a; alignas(32) char b; short c; };
static alignas(128) char gbuf[3];
static struct line glines[3];
typedef int int32a __attribute__((aligned(32)));

static int low(const void *p, unsigned a) { return (int)((uintptr_t)p % a); }

static int recurse(int n)
{
    alignas(64) char buf[10];
    memset(buf, n, sizeof buf);
    int r = low(buf, 64) + (n ? recurse(n - 1) : 0);
    return r + (buf[9] != n);
}

int main(void)
{
    printf("%zu %zu %zu %zu\n", sizeof(struct line), alignof(struct line), sizeof(struct outer), alignof(struct outer));
    printf("%d %d %d\n", low(gbuf, 128), low(&glines[1], 64), low(&glines[2].v, 64));
    char pad = 1;
    alignas(16) char a16 = 2;
    alignas(32) char a32 = 3;
    alignas(256) double a256[3] = {1, 2, 3};
    int32a i32 = 5;
    struct line l[2] = {{1, "ab"}, {2, "cd"}};
    struct outer o = {'x', 'y', 7};
    printf("%d %d %d %d %d %d\n", low(&a16, 16), low(&a32, 32), low(a256, 256), low(&i32, 32), low(l, 64), low(&o.b, 32));
    printf("%d %d\n", (int)((char *)&l[1] - (char *)&l[0]), (int)(&o.b - &o.a));
    printf("%d\n", recurse(20));
    for (size_t al = 16; al <= 4096; al *= 2) {
        char *p = aligned_alloc(al, al * 2);
        if (!p)
            return 1;
        memset(p, (int)al & 255, al * 2);
        printf("%d ", low(p, (unsigned)al));
        free(p);
    }
    puts("");
    int n = 5;
    for (int i = 1; i < 20; i++) {
        alignas(32) int v[n + i];
        v[0] = i;
        n ^= low(v, 4) | (v[0] & 1);
    }
    printf("%d %d\n", n, pad + a16 + a32 + (int)a256[2] + i32 + l[1].v + o.c);
    return 0;
}
