// expect: verified
// executions: 10
// selvedge: --model sc --explorer vieq
// any of the stores may be the last, whether the first thread has seen the flag after its store or not
// also: --model sc --explorer vieq -- -DBROKEN => assertion line 50
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef WRITERS
#define WRITERS 5
#endif

static atomic_int x, flag;
static int seen;

static void *writer(void *arg)
{
    x = (int)(long)arg;
    return NULL;
}

static void *first(void *arg)
{
    x = 1;
    seen = flag;
    return arg;
}

static void *raise(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t threads[WRITERS + 1];
    pthread_create(&threads[0], NULL, first, NULL);
    for (long i = 1; i < WRITERS; i++)
        pthread_create(&threads[i], NULL, writer, (void *)(i + 1));
    pthread_create(&threads[WRITERS], NULL, raise, NULL);
    for (int i = 0; i <= WRITERS; i++)
        pthread_join(threads[i], NULL);
    int last = x;
#ifdef BROKEN
    // The store of the first thread is the last one, though it has looked before the flag was raised.
    if (!seen)
        assert(last != 1);
#endif
    (void)last;
    return 0;
}
