// expect: verified
// selvedge: --model rc11
// the last one to give up its reference frees the object, after everybody has read it
// also: --model rc11 -- -DDROP=memory_order_relaxed => data-race line 28
// also: --model rc11 -- -DEARLY => use-after-free line 26
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef DROP
#define DROP memory_order_acq_rel
#endif

struct object {
    atomic_int references;
    int value;
};

static struct object *object;

static void *user(void *arg)
{
#ifdef EARLY
    int left = atomic_fetch_sub_explicit(&object->references, 1, DROP) - 1;
    assert(object->value == 5);
#else
    assert(object->value == 5);
    int left = atomic_fetch_sub_explicit(&object->references, 1, DROP) - 1;
#endif
    if (left == 0)
        free(object);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    object->value = 5;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
