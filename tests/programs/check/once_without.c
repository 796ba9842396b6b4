// expect: assertion line 25
// initialisation guarded by an atomic flag instead of pthread_once runs twice
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool initialised;
static atomic_int runs;

static void *worker(void *arg)
{
    if (!atomic_load(&initialised)) {
        atomic_fetch_add(&runs, 1);
        atomic_store(&initialised, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(atomic_load(&runs) == 1);
    return 0;
}
