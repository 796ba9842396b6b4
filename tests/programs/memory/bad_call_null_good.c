// expect: ok
#include <stdio.h>
#include <string.h>

static int one(void) { return 1; }
static const struct { const char *name; int (*fn)(void); } table[] = {{"one", one}, {"two", NULL}};

static int run(const char *name)
{
    for (int i = 0; i < 2; i++)
        if (!strcmp(table[i].name, name) && table[i].fn)
            return table[i].fn();
    return -1;
}

int main(void)
{
    printf("%d\n", run("one"));
    printf("%d\n", run("two"));
    return 0;
}
