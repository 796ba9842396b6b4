// A list is freed while it is being walked: a classic mistake, which natively often seems to work.
#include <stdio.h>
#include <stdlib.h>

struct node {
    char name[16];
    int count;
    struct node *next;
};

static struct node *push(struct node *head, int count)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        exit(1);
    snprintf(node->name, sizeof node->name, "item %d", count);
    node->count = count;
    node->next = head;
    return node;
}

static void free_list(struct node *head)
{
    for (struct node *node = head; node != NULL; node = node->next)
        free(node);
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 1; i <= 3; i++)
        list = push(list, i);

    for (struct node *node = list; node != NULL; node = node->next)
        printf("%s counts %d\n", node->name, node->count);

    free_list(list);
    printf("done\n");
    return 0;
}
