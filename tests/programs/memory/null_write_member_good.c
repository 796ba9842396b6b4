// expect: ok
#include <stdio.h>
#include <stdlib.h>

struct node { long pad[3]; int v; struct node *next; };

int main(void)
{
    struct node a = {{0}, 1, NULL};
    struct node *n = &a;
    for (int i = 0; i < 2 && n; i++) {
        n->v = i;
        n = n->next;
    }
    printf("%d\n", a.v);
    return 0;
}
