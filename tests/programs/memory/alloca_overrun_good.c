// expect: ok
#include <alloca.h>
#include <stdio.h>

static int run(int n)
{
    char *p = alloca((size_t)n);
    for (int i = 0; i < n; i++)
        p[i] = 'a';
    p[n - 1] = 'b';
    return p[0];
}

int main(void)
{
    printf("%d\n", run(21));
    return 0;
}
