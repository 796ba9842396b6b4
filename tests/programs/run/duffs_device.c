// Duff's device: a switch interleaved with a do loop, in several unrollings.
#include <stdio.h>
#include <string.h>

static int iterations;

static void copy8(char *to, const char *from, int count)
{
    if (count <= 0)
        return;
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { iterations++; *to++ = *from++; /* fall through */
    case 7: *to++ = *from++; /* fall through */
    case 6: *to++ = *from++; /* fall through */
    case 5: *to++ = *from++; /* fall through */
    case 4: *to++ = *from++; /* fall through */
    case 3: *to++ = *from++; /* fall through */
    case 2: *to++ = *from++; /* fall through */
    case 1: *to++ = *from++;
            } while (--n > 0);
    }
}

static long sum3(const int *a, int n)
{
    long s = 0;
    int k = (n + 2) / 3 - 1;
    if (!n)
        return 0;
    switch (n % 3)
        while (k-- > 0) {
        case 0: s = s * 2 + *a++; /* fall through */
        case 2: s = s * 2 + *a++; /* fall through */
        case 1: s = s * 2 + *a++;
            s %= 1000003;
        }
    return s;
}

/* a coroutine in the same spirit */
static int gen(int *state, int *i)
{
    switch (*state) {
    case 0:
        for (*i = 0; *i < 5; ++*i) {
            *state = 1;
            return *i * *i;
    case 1:;
        }
        *state = 2;
        return 100;
    case 2:;
    }
    return -1;
}

int main(void)
{
    char src[64], dst[64];
    for (int i = 0; i < 64; i++)
        src[i] = (char)('A' + i % 57);
    int bad = 0;
    for (int n = 0; n <= 40; n++) {
        memset(dst, '#', sizeof dst);
        copy8(dst, src, n);
        bad += memcmp(dst, src, (size_t)n) != 0 || dst[n] != '#';
    }
    printf("bad %d iterations %d\n", bad, iterations);
    int a[30];
    for (int i = 0; i < 30; i++)
        a[i] = i * 7 + 1;
    for (int n = 0; n < 13; n++)
        printf("%ld ", sum3(a, n));
    puts("");
    int st = 0, i = 0, v;
    while ((v = gen(&st, &i)) >= 0)
        printf("%d ", v);
    puts("");
    return bad;
}
