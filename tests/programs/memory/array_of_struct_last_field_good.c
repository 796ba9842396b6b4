// expect: ok
#include <stdio.h>

struct item { double weight; int count; };
static struct item items[4];

static void add(struct item *it, int n)
{
    it->count += n;
}

int main(void)
{
    for (int i = 0; i < 4; i++)
        add(&items[i], i);
    for (struct item *p = items; p < items + 4; p++)
        add(p, 1);
    printf("%d\n", items[3].count);
    return 0;
}
