// expect: verified
// stdatomic: exchange gives the token to exactly one of two threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int token = 1;
static atomic_int winners;

static void *worker(void *arg)
{
    if (atomic_exchange(&token, 0))
        atomic_fetch_add(&winners, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(atomic_load(&winners) == 1);
    return 0;
}
