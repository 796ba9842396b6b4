// selvedge: --model rc11
// expect: livelock line 30
// what a thread finds in its first round, it finds again in the second, if the other store comes first
// also: --model ra => livelock line 30
// also: --explorer graph --model sc => livelock line 30
// also: --explorer graph --model tso => livelock line 30
// also: --explorer optimal --model sc => livelock line 30
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int y = 1;

static void *clears(void *argument)
{
    atomic_store(&y, 0);
    return argument;
}
static void *sets(void *argument)
{
    atomic_store(&y, 1);
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, clears, NULL);
    pthread_create(&threads[1], NULL, sets, NULL);
    /* In vain for ever, if 0 is stored last. */
    while (atomic_load(&y) != 1) {
    }
    atomic_store(&y, 1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
