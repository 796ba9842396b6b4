// Packed structures: unaligned members of all sizes, arrays of them, pointers via memcpy.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) pk {
    uint8_t a;
    uint16_t b;
    uint32_t c;
    uint64_t d;
    float e;
    double f;
    int8_t g;
};
struct nat { uint8_t a; uint16_t b; uint32_t c; uint64_t d; float e; double f; int8_t g; };
#pragma pack(push, 2)
struct two { char a; int b; double c; char d; };
#pragma pack(pop)

int main(void)
{
    printf("%zu %zu %zu\n", sizeof(struct pk), sizeof(struct nat), sizeof(struct two));
    printf("%zu %zu %zu %zu %zu %zu %zu\n", offsetof(struct pk, a), offsetof(struct pk, b), offsetof(struct pk, c),
           offsetof(struct pk, d), offsetof(struct pk, e), offsetof(struct pk, f), offsetof(struct pk, g));
    printf("%zu %zu %zu\n", offsetof(struct two, b), offsetof(struct two, c), offsetof(struct two, d));
    struct pk t[5];
    for (int i = 0; i < 5; i++) {
        t[i].a = (uint8_t)(i + 250);
        t[i].b = (uint16_t)(i * 12345);
        t[i].c = (uint32_t)i * 0x89abcdefu;
        t[i].d = (uint64_t)i * 0x123456789abcdefULL;
        t[i].e = (float)i / 4;
        t[i].f = i * 1e10 + .5;
        t[i].g = (int8_t)(-i * 20);
    }
    unsigned h = 0;
    const unsigned char *p = (const unsigned char *)t;
    for (size_t i = 0; i < sizeof t; i++)
        h = h * 131 + p[i];
    printf("hash %u\n", h);
    for (int i = 0; i < 5; i++) {
        t[i].d += t[i].c;
        t[i].f *= t[i].e;
        t[i].b++;
        printf("%u %u %u %llu %g %g %d\n", t[i].a, t[i].b, t[i].c, (unsigned long long)t[i].d, t[i].e, t[i].f, t[i].g);
    }
    struct two w = {'x', -5, 2.75, 'y'};
    w.b -= w.a;
    unsigned char raw[16];
    memcpy(raw, &w, sizeof w);
    int b;
    memcpy(&b, raw + 2, 4);
    printf("%d %c %c %d\n", b, raw[0], raw[14], w.c == 2.75);
    return 0;
}
