// CRC-32 bitwise and by table, Adler-32, Fletcher-16 and FNV-1a over several inputs.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t table[256];

static void init(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc(const void *p, size_t n)
{
    const uint8_t *b = p;
    uint32_t c = ~0u;
    while (n--)
        c = table[(c ^ *b++) & 255] ^ c >> 8;
    return ~c;
}

static uint32_t crc_bits(const uint8_t *b, size_t n)
{
    uint32_t c = 0xffffffff;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 8; k++) {
            uint32_t bit = (c ^ b[i] >> k) & 1;
            c >>= 1;
            if (bit)
                c ^= 0xedb88320u;
        }
    return c ^ 0xffffffff;
}

static uint32_t adler(const uint8_t *b, size_t n)
{
    uint32_t s = 1, t = 0;
    while (n--) {
        s = (s + *b++) % 65521;
        t = (t + s) % 65521;
    }
    return t << 16 | s;
}
static uint16_t fletcher(const uint8_t *b, size_t n) { unsigned s = 0, t = 0; while (n--) { s = (s + *b++) % 255; t = (t + s) % 255; } return (uint16_t)(t << 8 | s); }
static uint64_t fnv(const uint8_t *b, size_t n) { uint64_t h = 0xcbf29ce484222325ULL; while (n--) { h ^= *b++; h *= 0x100000001b3ULL; } return h; }

int main(void)
{
    init();
    const char *t[] = {"", "a", "123456789", "The quick brown fox jumps over the lazy dog"};
    for (int i = 0; i < 4; i++) {
        size_t n = strlen(t[i]);
        const uint8_t *b = (const uint8_t *)t[i];
        printf("%08x %08x %08x %04x %016llx\n", crc(b, n), crc_bits(b, n), adler(b, n), fletcher(b, n), (unsigned long long)fnv(b, n));
    }
    static uint8_t big[3000];
    uint32_t x = 1;
    for (size_t i = 0; i < sizeof big; i++)
        big[i] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
    printf("%08x %d %08x\n", crc(big, sizeof big), crc(big, sizeof big) == crc_bits(big, sizeof big), adler(big, sizeof big));
    return 0;
}
