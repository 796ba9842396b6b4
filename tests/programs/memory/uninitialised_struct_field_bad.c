// expect: uninitialised line 13
// selvedge: --check uninitialised
#include <stdio.h>
#include <stdlib.h>

struct opt { char tag; int level; };

int main(void)
{
    struct opt *o = malloc(sizeof *o), copy;
    o->tag = 'x';
    copy = *o;                  /* copying is not a use */
    switch (copy.level) {
    case 0: puts("zero"); break;
    default: puts("other"); break;
    }
    free(o);
    return 0;
}
