// memmove, memcpy, memset, memcmp, memchr with many offsets, lengths and overlaps.
#include <stdio.h>
#include <string.h>

static unsigned char buf[128], ref[128];

static void fill(void) { for (int i = 0; i < 128; i++) buf[i] = ref[i] = (unsigned char)(i * 37 + 11); }
static void slow_move(unsigned char *d, const unsigned char *s, size_t n)
{
    unsigned char t[128];
    for (size_t i = 0; i < n; i++) t[i] = s[i];
    for (size_t i = 0; i < n; i++) d[i] = t[i];
}

int main(void)
{
    int bad = 0, tests = 0;
    for (unsigned d = 0; d < 24; d += 3)
        for (unsigned s = 0; s < 24; s += 2)
            for (unsigned n = 0; n < 70; n = n * 2 + 1) {
                fill();
                memmove(buf + d, buf + s, n);
                slow_move(ref + d, ref + s, n);
                bad += memcmp(buf, ref, sizeof buf) != 0;
                tests++;
            }
    printf("%d bad of %d\n", bad, tests);
    char t[] = "abcdefghij";
    memmove(t + 2, t, 6);
    puts(t);
    memmove(t, t + 2, 6);
    puts(t);
    memset(t + 1, '*', 3);
    puts(t);
    memset(t + 9, 0, 1);
    puts(t);
    printf("%d\n", memcpy(t, "XY", 2) == t);
    puts(t);
    int big[40], copy[40];
    for (int i = 0; i < 40; i++) big[i] = i * i;
    memcpy(copy, big, sizeof big);
    memmove(copy + 1, copy, 39 * sizeof *copy);
    printf("%d %d %d\n", copy[0], copy[1], copy[39]);
    memset(big, 0xff, 20 * sizeof *big);
    printf("%d %d\n", big[19], big[20]);
    printf("%d %d %d\n", memcmp("abc", "abd", 2), memcmp("abc", "abd", 3) < 0, memcmp("\xff", "\x01", 1) > 0);
    printf("%d\n", memcmp("same", "same", 5));
    const char *m = memchr("find the z here", 'z', 15);
    printf("%s %d\n", m, memchr("abc", 'd', 3) == NULL);
    struct { char c; int i; short s; } a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.c = b.c = 'q';
    a.i = b.i = -5;
    a.s = 3;
    printf("%d", memcmp(&a, &b, sizeof a) != 0);
    b.s = 3;
    printf(" %d\n", memcmp(&a, &b, sizeof a));
    return bad;
}
