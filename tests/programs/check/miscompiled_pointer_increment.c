// expect: assertion line 35
// clang gives the value of a load before the update: two threads can get the same slot, which C does not allow
// also: -- -DFETCH => verified
//   what the warning says to write instead
// also: --model rc11 => assertion line 35
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int slots[2];
static _Atomic(int *) next = slots;
static int *taken[2];

static void *worker(void *arg)
{
    int **mine = arg;
#ifdef FETCH
    *mine = atomic_fetch_add(&next, 1);
#else
    *mine = next++;
#endif
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &taken[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    // The updates themselves are right.
    assert(next == slots + 2);
    assert(taken[0] != taken[1]);
    return 0;
}
