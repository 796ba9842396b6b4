// UTF-8 decoding and encoding, with detection of malformed sequences.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int decode(const unsigned char *s, size_t n, uint32_t *cp)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char c = s[0];
    int len = c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : c >> 3 == 30 ? 4 : 0;
    if (!len || (size_t)len > n)
        return -1;
    uint32_t v = len == 1 ? c : c & (0x7fu >> len);
    for (int i = 1; i < len; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return -2;
        v = v << 6 | (s[i] & 0x3f);
    }
    if (v < least[len])
        return -3;
    if (v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
        return -4;
    *cp = v;
    return len;
}

static int encode(uint32_t c, unsigned char *o)
{
    if (c < 0x80) { o[0] = (unsigned char)c; return 1; }
    int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, c >>= 6)
        o[i] = (unsigned char)(0x80 | (c & 0x3f));
    o[0] = (unsigned char)((0xf00u >> n) | c);
    return n;
}

int main(void)
{
    const char *t = u8"aé漢😀z";
    const unsigned char *p = (const unsigned char *)t;
    size_t n = strlen(t);
    printf("%zu bytes:", n);
    while (n) {
        uint32_t c;
        int k = decode(p, n, &c);
        if (k < 0) break;
        printf(" U+%04X", c);
        p += k;
        n -= (size_t)k;
    }
    puts("");
    const char *bad[] = {"\x80", "\xc0\x80", "\xc3", "\xe2\x28\xa1", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xf0\x80\x80\x80", "\xe0\x9f\xbf"};
    for (int i = 0; i < 9; i++) {
        uint32_t c = 0;
        printf("%d ", decode((const unsigned char *)bad[i], strlen(bad[i]), &c));
    }
    puts("");
    int wrong = 0, count = 0;
    unsigned h = 0;
    for (uint32_t c = 0; c <= 0x10ffff; c += c < 0x1000 ? 7 : 1237) {
        if (c >= 0xd800 && c < 0xe000) continue;
        unsigned char b[4];
        uint32_t r = 0;
        int k = encode(c, b);
        for (int i = 0; i < k; i++) h = h * 131 + b[i];
        wrong += decode(b, (size_t)k, &r) != k || r != c;
        count++;
    }
    printf("%d of %d wrong, hash %u\n", wrong, count, h);
    return wrong;
}
