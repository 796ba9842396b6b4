// expect: abort line 12
// abort in a thread, in one order only
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *worker(void *arg)
{
    if (atomic_load(&x) == 0)
        abort();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 1);
    pthread_join(t, NULL);
    return 0;
}
