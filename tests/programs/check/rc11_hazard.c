// expect: verified
// selvedge: --model rc11
// a hazard pointer: whoever reads an object announces it first, whoever frees one looks for announcements
// also: --model rc11 -- -DREADER=memory_order_acq_rel => use-after-free line 33|48
//   the reader does not see that the object was taken away, and the writer not the announcement
// also: --model rc11 -- -DWRITER=memory_order_acq_rel => use-after-free line 33|48
// also: --model rc11 -- -DNOTHING => use-after-free line 33|48
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef READER
#define READER memory_order_seq_cst
#endif
#ifndef WRITER
#define WRITER memory_order_seq_cst
#endif

static atomic_int *_Atomic object, *_Atomic hazard;

static void *reader(void *arg)
{
    atomic_int *mine = atomic_load_explicit(&object, memory_order_acquire);
#ifndef NOTHING
    atomic_store_explicit(&hazard, mine, memory_order_relaxed);
    atomic_thread_fence(READER);
    if (atomic_load_explicit(&object, memory_order_acquire) != mine)
        return arg;
#endif
    if (mine)
        assert(atomic_load_explicit(mine, memory_order_relaxed) == 5);
    atomic_store_explicit(&hazard, NULL, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    atomic_int *old = malloc(sizeof *old);
    atomic_init(old, 5);
    atomic_store_explicit(&object, old, memory_order_release);
    pthread_create(&t, NULL, reader, NULL);
    atomic_store_explicit(&object, NULL, memory_order_relaxed);
    atomic_thread_fence(WRITER);
    if (atomic_load_explicit(&hazard, memory_order_acquire) != old)
        free(old);
    pthread_join(t, NULL);
    return 0;
}
