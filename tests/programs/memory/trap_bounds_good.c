// expect: ok
// flags: -fsanitize=bounds -fsanitize-trap=all
#include <stdio.h>

struct pair { int first[3]; int second[3]; };

static int get(const struct pair *p, int i)
{
    return i < 3 ? p->first[i] : p->second[i - 3];
}

int main(void)
{
    struct pair p = {{1, 2, 3}, {4, 5, 6}};
    printf("%d\n", get(&p, 2));
    printf("%d\n", get(&p, 4));
    return 0;
}
