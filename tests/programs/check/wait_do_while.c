// expect: verified
// waiting with do-while and a local copy
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int level;

static void *worker(void *arg)
{
    atomic_fetch_add(&level, 1);
    atomic_fetch_add(&level, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    int seen;
    pthread_create(&t, NULL, worker, NULL);
    do {
        seen = atomic_load(&level);
    } while (seen < 2);
    assert(seen == 2);
    pthread_join(t, NULL);
    return 0;
}
