// expect: verified
// selvedge: --model rc11
// Treiber's stack of nodes from the heap, with plain contents
// also: --model rc11 -- -DPUSH=memory_order_relaxed => data-race line 34|52
//   the node is handed over without what is in it
// also: --model rc11 -- -DPOP=memory_order_relaxed => data-race line 34|52
// also: --model rc11 -- -DFREE => use-after-free line 34|39
//   a node that somebody may still look at is given back
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef PUSH
#define PUSH memory_order_release
#endif
#ifndef POP
#define POP memory_order_acquire
#endif

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic top;

static void *popper(void *arg)
{
    int sum = 0;
    struct node *seen = atomic_load_explicit(&top, POP);
    while (seen) {
        struct node *next = seen->next;
        if (atomic_compare_exchange_strong_explicit(&top, &seen, next, POP, POP)) {
            sum += seen->value;
            assert(sum == 1 || sum == 2 || sum == 3);
#ifdef FREE
            free(seen);
#endif
            seen = next;
        }
    }
    return arg;
}

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &node->next, node, PUSH, memory_order_relaxed)) {
    }
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, popper, NULL);
    pthread_create(&b, NULL, popper, NULL);
    push(1);
    push(2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
