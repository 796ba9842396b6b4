// expect: verified
// selvedge: --model rc11
// main returns while others still work, or wait
// also: --model rc11 -- -DBROKEN => assertion line 19
// also: --model rc11 -- -DEXIT => deadlock line 32|21
//   with pthread_exit the process goes on without main
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *worker(void *arg)
{
#ifdef BROKEN
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 0);
#endif
    pthread_mutex_lock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef EXIT
    pthread_exit(NULL);
#endif
    return 0;
}
