// Deep recursion with small frames: Ackermann, hyperoperations and McCarthy 91.
#include <stdio.h>

static unsigned calls;

static unsigned ack(unsigned m, unsigned n)
{
    calls++;
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}

static int m91(int n) { calls++; return n > 100 ? n - 10 : m91(m91(n + 11)); }

static unsigned hyper(int op, unsigned a, unsigned b)
{
    calls++;
    if (op == 0)
        return b + 1;
    if (b == 0)
        return op == 1 ? a : op == 2 ? 0 : 1;
    return hyper(op - 1, a, hyper(op, a, b - 1));
}

static int tak(int x, int y, int z)
{
    calls++;
    return y < x ? tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)) : z;
}

int main(void)
{
    for (unsigned m = 0; m <= 3; m++) {
        for (unsigned n = 0; n <= 4; n++)
            printf("%u ", ack(m, n));
        printf("calls %u\n", calls);
    }
    calls = 0;
    printf("%d", m91(0));
    printf(" %d", m91(99));
    printf(" %d", m91(150));
    printf(" calls %u\n", calls);
    calls = 0;
    printf("%u %u %u\n", hyper(1, 5, 7), hyper(2, 6, 7), hyper(3, 2, 5));
    printf("calls %u\n", calls);
    calls = 0;
    int t = tak(9, 5, 2);
    printf("%d calls %u\n", t, calls);
    return 0;
}
