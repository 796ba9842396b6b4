// expect: verified
// an object whose fields are only ever accessed with relaxed atomics may be handed over relaxed
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int value;
};
static struct node *_Atomic shared;

static void *writer(void *arg)
{
    struct node *node = malloc(sizeof *node);
    atomic_store_explicit(&node->value, 1, memory_order_relaxed);
    atomic_store_explicit(&shared, node, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    struct node *node = atomic_load_explicit(&shared, memory_order_relaxed);
    if (node)
        atomic_load_explicit(&node->value, memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
