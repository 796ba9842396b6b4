// expect: verified
// selvedge: --check leak
// the last of two owners frees the object: fetch_sub with acq_rel
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int owners;
    int a, b;
};

static void drop(struct object *object)
{
    if (atomic_fetch_sub_explicit(&object->owners, 1, memory_order_acq_rel) == 1)
        free(object);
}

static void *worker(void *arg)
{
    struct object *object = arg;
    object->a = 1;
    drop(object);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->owners, 2);
    pthread_create(&t, NULL, worker, object);
    object->b = 2;
    drop(object);
    pthread_join(t, NULL);
    return 0;
}
