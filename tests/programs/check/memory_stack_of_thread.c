// expect: dead-stack line 20
// a local variable of a thread that has ended
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) address;

static void *worker(void *arg)
{
    int local = 1;
    atomic_store(&address, &local);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return *atomic_load(&address) != 1;
}
