// expect: assertion line 38
// also: --model tso => assertion line 38
// also: --model pso => assertion line 38
// also: --explorer source => assertion line 38
// also: --explorer exhaustive => assertion line 38
// A thread waits for a value that the counter has only if the subtraction comes before both additions. Updates of what somebody
// waits for keep their order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *up(void *arg)
{
    atomic_fetch_add(&counter, 1);
    return arg;
}

static void *down(void *arg)
{
    atomic_fetch_sub(&counter, 1);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, up, NULL);
    pthread_create(&threads[1], NULL, down, NULL);
    pthread_create(&threads[2], NULL, up, NULL);
    int rounds = 0;
    if (atomic_load(&counter) == 0) {
        while (atomic_load(&counter) == 0)
            ;
        rounds = atomic_load(&counter);
    }
    assert(rounds != -1);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
