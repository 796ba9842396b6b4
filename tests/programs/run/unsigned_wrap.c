// Unsigned wrap-around in every width, modular arithmetic identities, inverse of odd numbers.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t inv32(uint32_t a) { uint32_t x = a; for (int i = 0; i < 5; i++) x *= 2 - a * x; return x; }
static uint64_t inv64(uint64_t a) { uint64_t x = a; for (int i = 0; i < 6; i++) x *= 2 - a * x; return x; }

int main(void)
{
    uint8_t a = 0;
    a--;
    uint16_t b = 0;
    b -= 2;
    uint32_t c = 0;
    c -= 3;
    uint64_t d = 0;
    d -= 4;
    printf("%u %u %u %llu\n", a, b, c, (unsigned long long)d);
    a += 10; b += 10; c += 10; d += 10;
    printf("%u %u %u %llu\n", a, b, c, (unsigned long long)d);
    printf("%u %lu\n", UINT_MAX + 1u, ULONG_MAX + 2);
    printf("%u %u\n", 0u - 1u, -5u);
    printf("%u\n", UINT_MAX * UINT_MAX);
    printf("%llu\n", (unsigned long long)(UINT64_MAX * UINT64_MAX));
    printf("%u %u\n", 65536u * 65536u, 65537u * 65537u);
    int ok = 1;
    for (uint32_t k = 1; k < 4000; k += 2) {
        ok &= k * inv32(k) == 1;
        uint64_t w = k * 0x9e3779b97f4a7c15ULL | 1;
        ok &= w * inv64(w) == 1;
    }
    printf("%d %u %llu\n", ok, inv32(3), (unsigned long long)inv64(7));
    uint32_t h = 0, t = 0xfffffff0u;
    for (int i = 0; i < 40; i++) {
        t++;
        h = (h << 5) - h + t;
        h += (t < 16) * 1000u;
    }
    printf("%u %u\n", h, t);
    uint32_t start = 0xffffff00u, now = 0x00000100u;
    printf("%u %d\n", now - start, (int32_t)(now - start) > 0);
    unsigned n = 0;
    for (unsigned i = 10; i-- > 0;)
        n = n * 10 + i;
    printf("%u\n", n);
    uint8_t sum = 0;
    for (int i = 0; i < 1000; i++)
        sum = (uint8_t)(sum * 3 + i);
    printf("%u\n", sum);
    unsigned long long f0 = 0, f1 = 1;
    for (int i = 0; i < 200; i++) {
        unsigned long long f = f0 + f1;
        f0 = f1;
        f1 = f;
    }
    printf("%llu\n", f0);
    return 0;
}
