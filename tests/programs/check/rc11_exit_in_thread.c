// expect: verified
// selvedge: --model rc11
// a thread that ends the process: whoever waits then waits no longer
// also: --model rc11 -- -DBROKEN => assertion line 25
//   what others still do is explored
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static sem_t never;
static atomic_int x;

static void *ender(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    exit(arg != NULL);
}

static void *other(void *arg)
{
#ifdef BROKEN
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 0);
#endif
    sem_wait(&never);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&never, 0, 0);
    pthread_create(&a, NULL, ender, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(b, NULL);
    return 0;
}
