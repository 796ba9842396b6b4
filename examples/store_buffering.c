// Two people share a room, and nobody wants to speak while the other does. Each raises a hand, looks whether
// the other's is up, and speaks only if it is not. So at most one of them speaks.
//
// That is true if memory is sequentially consistent. Real processors put stores into a buffer first: under
// TSO (x86) both may look while both hands are still in the buffers, and both speak. A fence between the two
// steps, atomic_thread_fence(memory_order_seq_cst), or seq_cst stores would help.
//
//   selvedge check examples/store_buffering.c                 verified
//   selvedge check --model tso examples/store_buffering.c     the assertion fails
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool raised[2];
static bool speaks[2];

static void *person(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    atomic_store_explicit(&raised[me], true, memory_order_relaxed);
    // a fence is missing here
    speaks[me] = !atomic_load_explicit(&raised[other], memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, person, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(!(speaks[0] && speaks[1]));
    return 0;
}
