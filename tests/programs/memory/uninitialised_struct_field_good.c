// expect: ok
// selvedge: --check uninitialised
#include <stdio.h>
#include <stdlib.h>

struct opt { char tag; int level; };

int main(void)
{
    struct opt *o = malloc(sizeof *o), copy;
    o->tag = 'x';
    copy = *o;                  /* level and the padding are copied, never looked at */
    switch (copy.tag) {
    case 'x': puts("x"); break;
    default: puts("other"); break;
    }
    free(o);
    return 0;
}
