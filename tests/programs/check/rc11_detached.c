// expect: verified
// selvedge: --model rc11
// a detached thread is waited for with a flag
// also: --model rc11 -- -DBROKEN => data-race line 15|29
//   it is not
// also: --model sc --explorer graph => verified
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static int data;

static void *worker(void *arg)
{
    data = 1;
    pthread_detach(pthread_self());
    atomic_store_explicit(&done, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
#ifndef BROKEN
    while (!atomic_load_explicit(&done, memory_order_acquire)) {
    }
#endif
    data = 2;
    return 0;
}
