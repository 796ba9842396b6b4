// expect: data-race line 14|15|21
// the count is relaxed: the last access of one owner races with the free of the other
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int owners;
    int a;
};

static void drop(struct object *object)
{
    if (atomic_fetch_sub_explicit(&object->owners, 1, memory_order_relaxed) == 1)
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
    drop(object);
    pthread_join(t, NULL);
    return 0;
}
