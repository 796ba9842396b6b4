// main that ends without a return statement yields status 0; void argument list; early returns in callees.
#include <stdio.h>

static int classify(int n)
{
    if (n < 0)
        return -1;
    if (n == 0)
        return 0;
    for (int i = 2; i < n; i++)
        if (n % i == 0)
            return i;
    return 1;
}

static void report(int n)
{
    int c = classify(n);
    if (c < 0) {
        printf("%d negative\n", n);
        return;
    }
    if (!c) {
        printf("%d zero\n", n);
        return;
    }
    printf("%d %s %d\n", n, c == 1 ? "prime-ish" : "divisible by", c);
}

int main(void)
{
    for (int i = -1; i < 26; i += 3)
        report(i);
    report(49);
    report(97);
}
