// expect: verified
// reach_error behind a condition that never holds
#include <pthread.h>
#include <stdatomic.h>

void reach_error(void);

void reach_error(void)
{
}

static atomic_int x;

static void *worker(void *arg)
{
    if (atomic_load(&x) == 2)
        reach_error();
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
