// A small LZ77-style compressor and decompressor with a round-trip check.
#include <stdio.h>
#include <string.h>

typedef unsigned char u8;

static size_t compress(const u8 *in, size_t n, u8 *out)
{
    size_t o = 0, lit = 0, i = 0;
    while (i < n) {
        size_t best = 0, dist = 0, start = i > 255 ? i - 255 : 0;
        for (size_t j = start; j < i; j++) {
            size_t k = 0;
            while (k < 66 && i + k < n && in[j + k] == in[i + k])
                k++;
            if (k >= best && k > 2) { best = k; dist = i - j; }
        }
        if (best || lit == 127) {
            if (lit) { out[o++] = (u8)lit; memcpy(out + o, in + i - lit, lit); o += lit; lit = 0; }
        }
        if (best) {
            out[o++] = (u8)(0x80 | (best - 3));
            out[o++] = (u8)dist;
            i += best;
        } else {
            lit++;
            i++;
        }
    }
    if (lit) { out[o++] = (u8)lit; memcpy(out + o, in + n - lit, lit); o += lit; }
    return o;
}

static size_t expand(const u8 *in, size_t n, u8 *out)
{
    size_t o = 0;
    for (size_t i = 0; i < n;) {
        u8 c = in[i++];
        if (c & 0x80) {
            size_t len = (c & 0x7f) + 3u, dist = in[i++];
            while (len--) { out[o] = out[o - dist]; o++; }      /* may overlap */
        } else {
            memcpy(out + o, in + i, c);
            o += c;
            i += c;
        }
    }
    return o;
}

static void trial(const char *name, const u8 *data, size_t n)
{
    static u8 packed[2048], back[2048];
    size_t c = compress(data, n, packed), d = expand(packed, c, back);
    unsigned h = 0;
    for (size_t i = 0; i < c; i++)
        h = h * 257 + packed[i];
    printf("%-8s %zu -> %zu -> %zu %s %08x\n", name, n, c, d, d == n && !memcmp(back, data, n) ? "ok" : "BAD", h);
}

int main(void)
{
    static u8 buf[600];
    trial("empty", buf, 0);
    trial("zeros", buf, 400);
    const char *t = "she sells sea shells on the sea shore; the shells she sells are sea shells for sure";
    trial("text", (const u8 *)t, strlen(t));
    for (unsigned i = 0; i < 600; i++)
        buf[i] = (u8)(i % 7 * (i / 50));
    trial("pattern", buf, 600);
    unsigned x = 99;
    for (unsigned i = 0; i < 300; i++)
        buf[i] = (u8)((x = x * 69069 + 1) >> 24);
    trial("random", buf, 300);
    trial("one", buf, 1);
    return 0;
}
