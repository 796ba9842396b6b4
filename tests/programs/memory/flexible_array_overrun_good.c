// expect: ok
#include <stdio.h>
#include <stdlib.h>

struct buf { unsigned n; short v[]; };

int main(void)
{
    struct buf *b = malloc(sizeof *b + 6 * sizeof b->v[0]);
    b->n = 5;
    for (unsigned i = 0; i <= b->n; i++)
        b->v[i] = (short)i;
    printf("%d\n", b->v[4]);
    free(b);
    return 0;
}
