// _Alignas, _Alignof, max_align_t, _Static_assert and _Noreturn.
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>

_Static_assert(sizeof(int) == 4, "int is 32 bits");
_Static_assert(_Alignof(double) == 8, "double is 8-aligned");
_Static_assert((char)-1 < 0, "char is signed");

struct mixed { char a; _Alignas(8) char b; char c; _Alignas(double) char d; };
struct vec { alignas(16) float v[4]; };
struct holder { char tag; struct vec v; };
_Static_assert(offsetof(struct mixed, b) == 8, "aligned member");

static noreturn void finish(int code)
{
    printf("finish %d\n", code);
    exit(code);
}

static int mod(const void *p, size_t a) { return (int)((uintptr_t)p & (a - 1)); }

static float dot(struct vec a, struct vec b) { return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2] + a.v[3] * b.v[3]; }
static struct vec scale(struct vec a, float k) { for (int i = 0; i < 4; i++) a.v[i] *= k; return a; }

int main(void)
{
    printf("%zu %zu %zu %zu %zu %zu\n", alignof(char), alignof(short), alignof(int), alignof(long), alignof(float), alignof(double));
    printf("%zu %zu %zu %zu\n", alignof(void *), alignof(struct mixed), alignof(struct vec), alignof(struct holder));
    printf("%zu %zu %zu\n", sizeof(struct mixed), sizeof(struct vec), sizeof(struct holder));
    printf("%zu %zu\n", alignof(int[7]), alignof(__int128));
    _Alignas(64) char buf[5] = "abcd";
    alignas(alignof(long)) char raw[sizeof(long) * 2];
    *(long *)raw = 123456789;
    printf("%d %d %ld %s\n", mod(buf, 64), mod(raw, 8), *(long *)raw, buf);
    struct holder h[3] = {{'a', {{1, 2, 3, 4}}}, {'b', {{5, 6, 7, 8}}}, {'c', {{0}}}};
    h[2].v = scale(h[1].v, 0.5f);
    printf("%d %g %g\n", mod(&h[1].v, 16), dot(h[0].v, h[1].v), dot(h[2].v, h[2].v));
    void *p = malloc(alignof(max_align_t));
    printf("%d\n", mod(p, alignof(max_align_t)));
    free(p);
    static _Alignas(32) int st[3] = {1, 2, 3};
    printf("%d %d\n", mod(st, 32), st[0] + st[2]);
    alignas(0) int zero = 3;
    if (zero == 3)
        finish(11);
    return 0;
}
