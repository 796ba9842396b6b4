// expect: leak line 10
// selvedge: --check leak
#include <stdio.h>
#include <stdlib.h>

static int *buffer;

static void prepare(int n)
{
    buffer = malloc((size_t)n * sizeof *buffer);
    buffer[n - 1] = n;
}

int main(void)
{
    prepare(10);
    prepare(20);                /* the first block is lost */
    printf("%d\n", buffer[19]);
    free(buffer);
    return 0;
}
