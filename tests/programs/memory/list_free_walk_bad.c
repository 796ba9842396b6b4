// expect: use-after-free line 19
#include <stdio.h>
#include <stdlib.h>

struct node { int v; struct node *next; };

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = head;
        head = n;
    }
    for (struct node *n = head; n != NULL;) {
        printf("%d\n", n->v);
        free(n);
        n = n->next;
    }
    return 0;
}
