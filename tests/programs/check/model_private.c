// expect: verified
// selvedge: --allow data-race
// a private object is written with plain stores, then handed over by a relaxed store: a data race in C, which
// is allowed here to see what memory does
// also: --model tso --allow data-race => verified
//   stores stay in order: the value is in memory before the pointer
// also: --model pso --allow data-race => assertion line 42
//   the pointer may be in memory before the value, though this was stored while the object was private
// also: --model sc -- -DORDERED => verified
//   release and acquire: no data race
// also: --model tso -- -DORDERED => verified
//   release and acquire: no data race, and the value is in memory before the pointer
// also: --model pso -- -DORDERED => verified
//   release and acquire: no data race, and the value is in memory before the pointer
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
