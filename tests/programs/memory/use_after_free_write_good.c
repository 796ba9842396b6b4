// expect: ok
#include <stdio.h>
#include <stdlib.h>

struct obj { long a, b; };

static void set(struct obj *o, long v)
{
    o->b = v;
}

int main(void)
{
    struct obj *o = calloc(1, sizeof *o);
    set(o, 1);
    free(o);
    o = calloc(1, sizeof *o);
    set(o, 2);
    free(o);
    puts("written");
    return 0;
}
