// 128-bit integer multiplication, division, remainder, shifts and comparison.
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void pu(u128 v)
{
    char b[48];
    int i = 47;
    b[i] = 0;
    do b[--i] = (char)('0' + (int)(v % 10)); while (v /= 10);
    fputs(b + i, stdout);
}

static void pi(i128 v)
{
    if (v < 0) { putchar('-'); pu(-(u128)v); } else pu((u128)v);
}

int main(void)
{
    u128 max = ~(u128)0;
    i128 imax = (i128)(max >> 1), imin = -imax - 1;
    pu(max); puts("");
    pi(imax); puts("");
    pi(imin); puts("");
    i128 a[] = {0, 1, -1, 7, -7, 1000000007, -1000000007, (i128)1 << 64, -((i128)1 << 64), imax, imin,
                (i128)0x0123456789abcdefLL * 0x7edcba9876543210LL, -(i128)0x123456789LL * 0x1000000000000LL};
    int n = sizeof a / sizeof *a;
    u128 h = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (a[j] == 0 || (a[i] == imin && a[j] == -1))
                continue;
            i128 q = a[i] / a[j], r = a[i] % a[j];
            if ((i128)((u128)q * (u128)a[j] + (u128)r) != a[i])
                puts("identity broken");
            u128 uq = (u128)a[i] / (u128)a[j], ur = (u128)a[i] % (u128)a[j];
            h = h * 1000003 + (u128)q * 7 + (u128)r * 3 + uq * 5 + ur + (a[i] < a[j]) + 2 * ((u128)a[i] < (u128)a[j]);
            if ((i + j) % 9 == 0) { pi(a[i]); printf(" / "); pi(a[j]); printf(" = "); pi(q); printf(" rem "); pi(r); puts(""); }
        }
    pu(h); puts("");
    u128 f = 1;
    for (int i = 2; i <= 34; i++)
        f *= (u128)i;
    pu(f); puts("");
    for (int s = 0; s < 128; s += 21) {
        pu(max >> s); putchar(' ');
        pi(imin >> s); putchar(' ');
        pu((u128)0x123456789abcdef1ULL << s); puts("");
    }
    printf("%d %zu %zu\n", (int)(f % 1000003), sizeof(i128), _Alignof(i128));
    return 0;
}
