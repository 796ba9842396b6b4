// Base64 and hexadecimal coding with padding, error detection and round trips.
#include <stdio.h>
#include <string.h>

static const char abc[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t enc(const unsigned char *in, size_t n, char *out)
{
    char *o = out;
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = (unsigned)in[i] << 16;
        if (i + 1 < n) v |= (unsigned)in[i + 1] << 8;
        if (i + 2 < n) v |= in[i + 2];
        *o++ = abc[v >> 18];
        *o++ = abc[v >> 12 & 63];
        *o++ = i + 1 < n ? abc[v >> 6 & 63] : '=';
        *o++ = i + 2 < n ? abc[v & 63] : '=';
    }
    *o = 0;
    return (size_t)(o - out);
}

static int dec(const char *in, unsigned char *out)
{
    int n = 0, bits = 0, pad = 0;
    unsigned v = 0;
    size_t len = strlen(in);
    if (len % 4) return -1;
    for (; *in; in++) {
        if (*in == '=') { if (++pad > 2) return -2; continue; }
        const char *q = strchr(abc, *in);
        if (!q || pad) return -3;
        v = v << 6 | (unsigned)(q - abc);
        bits += 6;
        if (bits >= 8) out[n++] = (unsigned char)(v >> (bits -= 8));
    }
    return n;
}

int main(void)
{
    const char *t[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "\xff\xfe\xfd"};
    char e[400];
    unsigned char d[300];
    for (int i = 0; i < 8; i++) {
        size_t n = strlen(t[i]);
        enc((const unsigned char *)t[i], n, e);
        int m = dec(e, d);
        printf("'%s' %d %d\n", e, m, m == (int)n && !memcmp(d, t[i], n));
    }
    unsigned char all[256];
    for (int i = 0; i < 256; i++)
        all[i] = (unsigned char)(i * 167);
    size_t n = enc(all, 256, e);
    printf("%zu %.40s...%s\n", n, e, e + n - 8);
    int back = dec(e, d);
    printf("%d %d\n", back, memcmp(d, all, 256));
    const char *bad[] = {"abc", "ab=c", "a===", "ab!d", "=abc"};
    for (int i = 0; i < 5; i++)
        printf("%d ", dec(bad[i], d));
    puts("");
    for (int i = 0; i < 16; i++)
        sprintf(e + 2 * i, "%02x", all[i * 16 + 3]);
    unsigned x, sum = 0;
    for (int i = 0; i < 16; i++)
        if (sscanf(e + 2 * i, "%2x", &x) == 1)
            sum += x * (unsigned)(i + 1);
    printf("%s %u\n", e, sum);
    return 0;
}
