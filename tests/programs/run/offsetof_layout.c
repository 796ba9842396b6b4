// offsetof and sizeof over structures with every kind of member: padding, arrays, nesting, bit-fields.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct a { char c; short s; char d; int i; char e; long l; char f; double g; char h; void *p; char z; };
struct b { struct a a; char c; union { char u; long v[3]; } u; char t; };
struct c { char x[3]; uint16_t y[3]; char z[5]; uint32_t w; };
struct d { char c; struct { char c; } inner; struct { double d; char c; } in2; float f; };
struct e { int a : 5; int b : 6; char c; int d : 20; int e : 20; char f; };
struct f { _Bool b; __int128 w; char c; };
struct g { };
struct h { char c; struct g g; int flex[]; };
struct k { float f[3]; double d; int i; };

#define O(T, M) printf("%s.%s %zu\n", #T, #M, offsetof(struct T, M))

int main(void)
{
    printf("%zu %zu %zu %zu %zu %zu %zu %zu %zu\n", sizeof(struct a), sizeof(struct b), sizeof(struct c), sizeof(struct d), sizeof(struct e),
           sizeof(struct f), sizeof(struct g), sizeof(struct h), sizeof(struct k));
    O(a, c); O(a, s); O(a, d); O(a, i); O(a, e); O(a, l); O(a, f); O(a, g); O(a, h); O(a, p); O(a, z);
    O(b, c); O(b, u); O(b, u.v[2]); O(b, t); O(b, a.g);
    O(c, y); O(c, y[2]); O(c, z); O(c, z[4]); O(c, w);
    O(d, inner); O(d, in2); O(d, in2.c); O(d, f);
    O(e, c); O(e, f);
    O(f, w); O(f, c);
    O(h, flex); O(k, d); O(k, i);
    printf("%zu %zu %zu %zu %zu\n", _Alignof(struct a), _Alignof(struct c), _Alignof(struct d), _Alignof(struct f), _Alignof(struct h));
    struct b v = {.t = 'T', .u = {.v = {1, 2, 3}}, .a = {.g = 2.5}};
    char *base = (char *)&v;
    printf("%c %ld %g\n", base[offsetof(struct b, t)], *(long *)(base + offsetof(struct b, u.v[1])), *(double *)(base + offsetof(struct b, a.g)));
    struct c arr[3];
    printf("%td %td\n", (char *)&arr[2].w - (char *)arr, (char *)&arr[1].z[2] - (char *)&arr[0].y[1]);
    size_t idx = 2;
    printf("%zu\n", offsetof(struct c, y) + idx * sizeof(uint16_t));
    return 0;
}
