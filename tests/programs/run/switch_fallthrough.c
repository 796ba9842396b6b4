// switch statements: fallthrough, default in the middle, nesting, dense, sparse and negative cases.
#include <stdio.h>

static int fall(int x)
{
    int r = 0;
    switch (x) {
    case 0: r += 1; /* fall through */
    case 1: r += 10; /* fall through */
    default: r += 100; /* fall through */
    case 2: r += 1000; break;
    case 3: r += 5; /* fall through */
    case 4: return r + 7;
    }
    return r;
}

static int sparse(int x)
{
    switch (x) {
    case -2147483647 - 1: return 1;
    case -1000000: return 2;
    case -1: return 3;
    case 0: return 4;
    case 1000: return 5;
    case 65536: return 6;
    case 2147483647: return 7;
    }
    return 0;
}

static int nested(int a, int b)
{
    switch (a) {
    case 1:
        switch (b) {
        case 1: return 11;
        case 2: break;
        default: return 19;
        }
        return 12;
    case 2:
        while (b-- > 0) {
            if (b == 1)
                continue;
            switch (b) { case 5: return 25; case 3: continue; }
        }
        return 20;
    }
    return -1;
}

static int on_char(unsigned char c) { switch (c) { case 200: return 1; case 'a': return 2; case 0: return 3; default: return 4; } }

int main(void)
{
    for (int i = -1; i < 7; i++)
        printf("fall(%d)=%d\n", i, fall(i));
    int t[] = {-2147483647 - 1, -1000000, -1, 0, 1000, 65536, 2147483647, 5, -5};
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++)
        printf("sparse %d\n", sparse(t[i]));
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 9; b += 2)
            printf("%d ", nested(a, b));
    printf("%d %d\n", nested(1, 1), nested(1, 3));
    printf("%d %d %d %d\n", on_char(200), on_char('a'), on_char(0), on_char(255));
    switch (3) { int unused; default: unused = 9; printf("only default %d\n", unused); }
    return 0;
}
