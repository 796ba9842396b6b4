// expect: verified
// pthread_exit in main: the other thread goes on, then the process ends
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int steps;

static void *worker(void *arg)
{
    atomic_fetch_add(&steps, 1);
    assert(atomic_load(&steps) >= 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_fetch_add(&steps, 1);
    pthread_exit(NULL);
}
