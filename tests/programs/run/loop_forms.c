// Loop statements in every form: empty parts, continue, break, nesting, do-while, loop-carried types.
#include <stdio.h>

int main(void)
{
    int n = 0;
    for (;;) {
        if (++n > 10)
            break;
        if (n % 3 == 0)
            continue;
        printf("%d ", n);
    }
    puts("");
    int i = 10;
    do
        printf("%d ", i--);
    while (i > 5);
    do { printf("once "); } while (0);
    puts("");
    while (i)
        if (i-- == 3)
            break;
    printf("%d\n", i);
    for (unsigned char c = 250; c >= 250; c++)
        printf("%d ", c);
    puts("");
    for (double d = 0; d < 1; d += 0.1)
        n++;
    printf("%d\n", n);
    for (float f = 1; f > 0; f /= 16)
        n++;
    printf("%d\n", n);
    int found = 0;
    for (int a = 1; a < 30 && !found; a++)
        for (int b = a; b < 30; b++) {
            if ((a + b) % 2)
                continue;
            if (a * a + b * b == 25 * 25) {
                printf("%d %d\n", a, b);
                found = 1;
                break;
            }
        }
    printf("found %d\n", found);
    for (const char *p = "pointer", *q = p + 7; p < q; p += 2)
        putchar(*p);
    puts("");
    for (int x = 0, y = 100; x < y; x += 3, y -= 7)
        if (x & 1) { if (y & 1) continue; n += x; } else n -= y;
    printf("%d\n", n);
    int k = 0;
outer:
    for (int j = 0; j < 5; j++) {
        do {
            if (++k % 4 == 0) goto outer;
            if (k > 30) goto done;
        } while (k % 7);
        while (k % 5) { k++; if (k % 11 == 0) break; }
    }
done:
    printf("%d\n", k);
    long long s = 0;
    for (long long v = -3000000000LL; v < 3000000000LL; v += 600000001LL)
        s ^= v;
    printf("%lld\n", s);
    for (int v = 5; v --> 0;)
        printf("%d", v);
    puts("");
    unsigned m = 0;
    for (unsigned b = 1; b; b <<= 1)
        m += b % 7;
    printf("%u\n", m);
    return 0;
}
