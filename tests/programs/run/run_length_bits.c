// Bit streams: variable-length integers, run-length coding, zigzag, Elias gamma codes.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t buf[512];
static unsigned pos;

static void put(unsigned bit) { if (bit) buf[pos >> 3] |= (uint8_t)(1u << (pos & 7)); pos++; }
static unsigned get(void) { unsigned b = buf[pos >> 3] >> (pos & 7) & 1u; pos++; return b; }
static void gamma_put(uint32_t v) { int n = 31 - __builtin_clz(v); for (int i = 0; i < n; i++) put(0); for (int i = n; i >= 0; i--) put(v >> i & 1); }
static uint32_t gamma_get(void) { int n = 0; while (!get()) n++; uint32_t v = 1; while (n--) v = v << 1 | get(); return v; }
static uint64_t zig(int64_t v) { return (uint64_t)v << 1 ^ (uint64_t)(v >> 63); }
static int64_t zag(uint64_t v) { return (int64_t)(v >> 1) ^ -(int64_t)(v & 1); }
static uint8_t *varint(uint8_t *p, uint64_t v) { while (v >= 128) { *p++ = (uint8_t)(v | 128); v >>= 7; } *p++ = (uint8_t)v; return p; }
static const uint8_t *unvar(const uint8_t *p, uint64_t *v) { int s = 0; *v = 0; do { *v |= (uint64_t)(*p & 127) << s; s += 7; } while (*p++ & 128); return p; }
static unsigned hash(size_t n) { unsigned h = 5381; for (size_t i = 0; i < n; i++) h = h * 33 ^ buf[i]; return h; }

int main(void)
{
    int bad = 0;
    for (uint32_t v = 1; v < 200; v += 3)
        gamma_put(v * v);
    unsigned bits = pos;
    printf("gamma %u bits %08x\n", bits, hash((bits + 7) / 8));
    pos = 0;
    for (uint32_t v = 1; v < 200; v += 3)
        bad += gamma_get() != v * v;
    printf("bad %d consumed %d\n", bad, pos == bits);
    int64_t t[] = {0, -1, 1, 63, -64, 64, 8191, -8193, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    memset(buf, 0, sizeof buf);
    uint8_t *p = buf;
    for (int i = 0; i < 12; i++)
        p = varint(p, zig(t[i]));
    printf("varint %td bytes %08x\n", p - buf, hash((size_t)(p - buf)));
    const uint8_t *q = buf;
    for (int i = 0; i < 12; i++) {
        uint64_t u;
        const uint8_t *n = unvar(q, &u);
        printf("%lld(%td) ", (long long)zag(u), n - q);
        bad += zag(u) != t[i];
        q = n;
    }
    printf("\nbad %d\n", bad);
    const char *s = "WWWWWWWWWWWWBWWWWWWWWWWWWBBBWWWWWWWWWWWWWWWWWWWWWWWWBWWWWWWWWWWWWWW";
    char out[128], *o = out;
    for (const char *r = s; *r;) {
        size_t n = 1;
        while (r[n] == *r) n++;
        o += n > 1 ? sprintf(o, "%zu%c", n, *r) : sprintf(o, "%c", *r);
        r += n;
    }
    puts(out);
    char back[128], *w = back;
    for (char *r = out; *r; r++) {
        int n = 0;
        while (*r >= '0' && *r <= '9') n = n * 10 + *r++ - '0';
        for (n += !n; n--;) *w++ = *r;
    }
    *w = 0;
    printf("%d\n", strcmp(back, s));
    return bad;
}
