// expect: ok
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void release(void *p)
{
    free(p);
}

int main(void)
{
    int local[4] = {1, 2, 3, 4}, *copy = malloc(sizeof local);
    memcpy(copy, local, sizeof local);
    printf("%d\n", copy[2]);
    release(copy);
    return 0;
}
