// expect: verified
// a function that nobody defines does not matter if no interleaving calls it
#include <pthread.h>
#include <stdatomic.h>

int mystery(int number);

static atomic_int x;

static void *worker(void *arg)
{
    if (atomic_load(&x) > 1)
        mystery(3);
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
