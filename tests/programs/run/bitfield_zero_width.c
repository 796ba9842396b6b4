// Zero-width bit-fields force a new storage unit; unnamed ones leave padding.
#include <stdio.h>
#include <string.h>

struct P { unsigned a : 4; unsigned b : 4; };
struct Q { unsigned a : 4; unsigned : 0; unsigned b : 4; };
struct R { unsigned a : 4; unsigned : 9; unsigned b : 4; };
struct T { unsigned char a : 3; unsigned short : 0; unsigned char b : 3; };
struct U { unsigned char a : 3; unsigned long long : 0; unsigned char b : 3; char tail; };

static void dump(const char *n, const void *p, size_t len)
{
    const unsigned char *c = p;
    printf("%s %zu:", n, len);
    for (size_t i = 0; i < len; i++)
        printf(" %02x", c[i]);
    printf("\n");
}

#define TEST(TY, X, Y) do { struct TY v; memset(&v, 0, sizeof v); \
    v.a = X; v.b = Y; dump(#TY, &v, sizeof v); printf("  %u %u\n", (unsigned)v.a, (unsigned)v.b); } while (0)

int main(void)
{
    TEST(P, 5, 10);
    TEST(Q, 5, 10);
    TEST(R, 15, 9);
    TEST(T, 6, 5);
    TEST(U, 7, 2);
    struct U u;
    memset(&u, 0xff, sizeof u);
    u.a = 0;
    dump("U-ones a=0", &u, sizeof u);
    u.b = 0;
    dump("U-ones b=0", &u, sizeof u);
    u.tail = 0;
    dump("U-ones tail=0", &u, sizeof u);
    return (int)sizeof(struct U);
}
