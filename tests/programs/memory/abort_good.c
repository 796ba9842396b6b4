// expect: ok
#include <stdio.h>
#include <stdlib.h>

static void fatal(const char *m)
{
    printf("fatal: %s\n", m);
    fflush(stdout);
    exit(0);
}

int main(void)
{
    int n = 3;
    while (n--)
        printf("%d\n", n);
    fatal("giving up");
    return 1;
}
