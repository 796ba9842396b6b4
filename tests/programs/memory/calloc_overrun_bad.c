// expect: out-of-bounds line 12
#include <stdio.h>
#include <stdlib.h>

struct rec { short id; char name[5]; };

int main(void)
{
    struct rec *r = calloc(3, sizeof *r);
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += r[i].id;
    printf("%d\n", s);
    free(r);
    return 0;
}
