// expect: verified
// selvedge: --allow data-race
// a thread says with a relaxed flag that it is done with an object, which is then freed: a data race in C,
// which is allowed here to see what memory does
// also: --model tso --allow data-race => verified
//   stores stay in order: the object is written before it can be freed
// also: --model pso --allow data-race => use-after-free line 28|39
//   the flag may be in memory first, and the store gets there when the object has been freed
// also: --model sc -- -DORDERED => verified
//   release and acquire: no data race
// also: --model pso -- -DORDERED => verified
//   release and acquire: the store is in memory before the flag
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef ORDERED
enum { SEND = memory_order_release, RECEIVE = memory_order_acquire };
#else
enum { SEND = memory_order_relaxed, RECEIVE = memory_order_relaxed };
#endif

static int *object;
static atomic_int done;

static void *worker(void *arg)
{
    *object = 1;
    atomic_store_explicit(&done, 1, SEND);
    return arg;
}

int main(void)
{
    pthread_t t;
    object = calloc(1, sizeof *object);
    pthread_create(&t, NULL, worker, NULL);
    if (atomic_load_explicit(&done, RECEIVE))
        free(object);
    pthread_join(t, NULL);
    return 0;
}
