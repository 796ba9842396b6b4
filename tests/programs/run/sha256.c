// SHA-256 over known messages of lengths around the block boundary.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t K[64];
static uint32_t rr(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* fractional bits of cube roots (or square roots) of primes, by integer search */
static uint32_t root_bits(unsigned p, int cube)
{
    uint64_t lo = 0, hi = 1ULL << 36;           /* root * 2^32 */
    while (hi - lo > 1) {
        uint64_t mid = lo + (hi - lo) / 2;
        unsigned __int128 q = (unsigned __int128)mid * mid;
        int above;
        if (cube)                               /* mid^3 > p << 96, compared in halves */
            above = (q >> 32) * mid + ((uint32_t)q * (unsigned __int128)mid >> 32) >= ((unsigned __int128)p << 64);
        else
            above = q > ((unsigned __int128)p << 64);
        if (above) hi = mid; else lo = mid;
    }
    return (uint32_t)lo;
}

static void block(uint32_t h[8], const uint8_t *p)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++, p += 4)
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (rr(w[i - 15], 7) ^ rr(w[i - 15], 18) ^ w[i - 15] >> 3)
             + (rr(w[i - 2], 17) ^ rr(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (rr(s[4], 6) ^ rr(s[4], 11) ^ rr(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[i] + w[i];
        uint32_t t2 = (rr(s[0], 2) ^ rr(s[0], 13) ^ rr(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}

static void sha(const uint8_t *m, size_t n, const uint32_t init[8])
{
    uint32_t h[8];
    uint8_t last[128] = {0};
    memcpy(h, init, sizeof h);
    size_t i = 0;
    for (; i + 64 <= n; i += 64)
        block(h, m + i);
    size_t r = n - i, len = r < 56 ? 64 : 128;
    memcpy(last, m + i, r);
    last[r] = 0x80;
    for (int k = 0; k < 8; k++)
        last[len - 1 - (size_t)k] = (uint8_t)((uint64_t)n * 8 >> 8 * k);
    for (size_t k = 0; k < len; k += 64)
        block(h, last + k);
    for (int k = 0; k < 8; k++)
        printf("%08x", h[k]);
    printf(" (%zu)\n", n);
}

int main(void)
{
    uint32_t init[8];
    int n = 0;
    for (unsigned p = 2; n < 64; p++) {
        int prime = 1;
        for (unsigned d = 2; d * d <= p; d++)
            if (p % d == 0) prime = 0;
        if (!prime) continue;
        if (n < 8) init[n] = root_bits(p, 0);
        K[n++] = root_bits(p, 1);
    }
    printf("%08x %08x\n", init[0], K[63]);
    uint8_t buf[200];
    memset(buf, 'a', sizeof buf);
    size_t lens[] = {0, 1, 55, 56, 63, 64, 65, 119, 120, 200};
    for (int i = 0; i < 10; i++)
        sha(buf, lens[i], init);
    sha((const uint8_t *)"abc", 3, init);
    return 0;
}
