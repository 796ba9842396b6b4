// _Exit skips atexit handlers; output is flushed by hand beforehand.
#include <stdio.h>
#include <stdlib.h>

static void never(void)
{
    puts("this handler must not run");
    fflush(stdout);
}

static int depth(int n)
{
    if (n == 0) {
        printf("at the bottom\n");
        fflush(stdout);
        _Exit(17);
    }
    return depth(n - 1) + 1;
}

int main(void)
{
    if (atexit(never) != 0)
        return 1;
    for (int i = 0; i < 5; i++)
        printf("line %d\n", i);
    printf("%d\n", depth(30));
    return 2;
}
