// expect: verified
// an atomic struct of eight bytes is never seen half written
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int first, second;
};

static _Atomic struct pair shared;

static void *worker(void *arg)
{
    struct pair both = {1, 1};
    atomic_store(&shared, both);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    struct pair seen = atomic_load(&shared);
    assert(seen.first == seen.second);
    pthread_join(t, NULL);
    return 0;
}
