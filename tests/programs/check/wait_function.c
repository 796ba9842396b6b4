// expect: verified
// the read of the waiting loop is inside a function
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int flags[2];

static bool is_set(int index)
{
    return atomic_load(&flags[index]) != 0;
}

static void *worker(void *arg)
{
    atomic_store(&flags[0], 1);
    while (!is_set(1)) {
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    while (!is_set(0)) {
    }
    atomic_store(&flags[1], 1);
    pthread_join(t, NULL);
    return 0;
}
