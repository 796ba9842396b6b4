// expect: abort line 9
#include <stdio.h>
#include <stdlib.h>

static void fatal(const char *m)
{
    printf("fatal: %s\n", m);
    fflush(stdout);
    abort();
}

int main(void)
{
    int n = 3;
    while (n--)
        printf("%d\n", n);
    fatal("giving up");
    return 0;
}
