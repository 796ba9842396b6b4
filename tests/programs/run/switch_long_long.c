// switch on long long and unsigned long long values, with GNU case ranges.
#include <limits.h>
#include <stdio.h>

static const char *ll(long long x)
{
    switch (x) {
    case LLONG_MIN: return "min";
    case LLONG_MAX: return "max";
    case 0x100000000LL: return "2^32";
    case 0: return "zero";
    case -1: return "minus one";
    case 1LL << 40 ... (1LL << 40) + 99: return "around 2^40";
    case -500 ... -400: return "negative range";
    default: return "other";
    }
}

static const char *ull(unsigned long long x)
{
    switch (x) {
    case 0 ... 9: return "digit";
    case 0xffffffffffffff00ULL ... 0xffffffffffffffffULL: return "huge";
    case 0x8000000000000000ULL: return "top bit";
    }
    return "unlisted";
}

static const char *chr(int c)
{
    switch (c) {
    case '0' ... '9': return "digit";
    case 'a' ... 'f': case 'A' ... 'F': return "hex letter";
    case 'g' ... 'z': case 'G' ... 'Z': return "letter";
    case ' ': case '\t' ... '\r': return "space";
    default: return "punct";
    }
}

int main(void)
{
    long long a[] = {LLONG_MIN, LLONG_MAX, 0x100000000LL, 0, -1, 1, 1LL << 40, (1LL << 40) + 99,
                     (1LL << 40) + 100, (1LL << 40) - 1, -500, -400, -399, -501, LLONG_MIN + 1};
    for (unsigned i = 0; i < sizeof a / sizeof *a; i++)
        printf("%lld: %s\n", a[i], ll(a[i]));
    unsigned long long b[] = {0, 9, 10, 0xffffffffffffff00ULL, 0xfffffffffffffeffULL, ~0ULL, 1ULL << 63, (1ULL << 63) + 1};
    for (unsigned i = 0; i < sizeof b / sizeof *b; i++)
        printf("%llu: %s\n", b[i], ull(b[i]));
    for (const char *p = "09afAFgzGZ \t\r_~"; *p; p++)
        printf("%d: %s\n", *p, chr(*p));
    return 0;
}
