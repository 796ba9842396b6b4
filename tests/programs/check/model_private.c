// expect: verified
// selvedge: --allow data-race
// a private object is written with plain stores, then handed over by a relaxed store: a data race in C, which
// is allowed here to see what memory does
// also: -- -DORDERED => verified
//   release and acquire: no data race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef ORDERED
enum { PUBLISH = memory_order_release, TAKE = memory_order_acquire };
#else
enum { PUBLISH = memory_order_relaxed, TAKE = memory_order_relaxed };
#endif

static int *_Atomic shared;

static void *writer(void *arg)
{
    int *object = calloc(1, sizeof *object);
    *object = 1;
    atomic_store_explicit(&shared, object, PUBLISH);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int *object = atomic_load_explicit(&shared, TAKE);
    if (object != NULL)
        assert(*object == 1);
    pthread_join(t, NULL);
    return 0;
}
