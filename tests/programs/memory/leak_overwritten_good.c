// expect: ok
// selvedge: --check leak
#include <stdio.h>
#include <stdlib.h>

static int *buffer;

static void prepare(int n)
{
    free(buffer);
    buffer = malloc((size_t)n * sizeof *buffer);
    buffer[n - 1] = n;
}

int main(void)
{
    prepare(10);
    prepare(20);
    printf("%d\n", buffer[19]);
    free(buffer);
    return 0;
}
