// expect: deadlock line 21|24
// selvedge: --model rc11
// two mutexes in two orders
// also: --model sc --explorer graph => deadlock line 21|24
// also: --model rc11 -- -DORDERED => verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
#ifdef ORDERED
    pthread_mutex_t *first = &a, *second = &b;
#else
    pthread_mutex_t *first = arg ? &a : &b, *second = arg ? &b : &a;
#endif
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    x++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, &a);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
