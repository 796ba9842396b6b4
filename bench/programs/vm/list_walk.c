// A list of 10,000 allocated nodes, walked again and again: the cost of loads and stores.
// One unit of SCALE is 10 walks.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SCALE
#define SCALE 1
#endif

#define NODES 10000

struct node {
    struct node *next;
    uint64_t value;
};

int main(void)
{
    struct node *head = NULL;
    for (uint64_t i = 0; i < NODES; i++) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            return 1;
        node->next = head;
        node->value = i;
        head = node;
    }

    uint64_t sum = 0;
    for (uint64_t walk = 0; walk < (uint64_t)SCALE * 10; walk++) {
        for (struct node *node = head; node != NULL; node = node->next) {
            sum += node->value;
            node->value = sum ^ walk;
        }
    }
    printf("%llu\n", (unsigned long long)sum);

    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
