// expect: assertion line 46
// selvedge: --model rc11
// what a thread stores to an object before it hands it over can be overtaken by the pointer
// also: --model rc11 -- -DRELEASE => verified
// also: --model rc11 -- -DFENCES => verified
// also: --model rc11 -- -DONE_FENCE => assertion line 46
// also: --model rc11 -- -DPLAIN_LATER => verified
// also: --model sc --explorer graph => verified
// also: --model tso --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef PLAIN_LATER
#define WANTED 3
#else
#define WANTED 2
#endif

struct node { int padding; atomic_int value; };
static _Atomic(struct node *) head;

static void *producer(void *arg)
{
    struct node *node = malloc(sizeof *node);
    atomic_store_explicit(&node->value, 1, memory_order_relaxed);
    atomic_store_explicit(&node->value, 2, memory_order_relaxed);
#ifdef PLAIN_LATER
    *(int *)&node->value = WANTED;
#endif
#if defined FENCES || defined ONE_FENCE
    atomic_thread_fence(memory_order_release);
#endif
#ifdef RELEASE
    atomic_store_explicit(&head, node, memory_order_release);
#else
    atomic_store_explicit(&head, node, memory_order_relaxed);
#endif
    return arg;
}

static void consume(struct node *node)
{
    int value = atomic_load_explicit(&node->value, memory_order_relaxed);
    assert(value == WANTED);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
#ifdef RELEASE
    struct node *node = atomic_load_explicit(&head, memory_order_acquire);
#else
    struct node *node = atomic_load_explicit(&head, memory_order_relaxed);
#endif
#ifdef FENCES
    atomic_thread_fence(memory_order_acquire);
#endif
    if (node)
        consume(node);
    pthread_join(t, NULL);
    free(atomic_load(&head));
    return 0;
}
