// selvedge: --explorer vieq
// expect: verified
// executions: 2
// many threads store the same value: the load gives that or the initial one
// also: --explorer vieq -- -DVALUE=i => verified
//   and if all are different, one of them
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef VALUE
#define VALUE 1
#endif

static atomic_int x;

static void *writer(void *arg)
{
    long i = (long)arg;
    atomic_store(&x, (int)VALUE);
    (void)i;
    return NULL;
}

int main(void)
{
    pthread_t threads[6];
    for (long i = 0; i < 6; i++)
        pthread_create(&threads[i], NULL, writer, (void *)i);
    int seen = atomic_load(&x);
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    assert(0 <= seen && seen < 6);
    return 0;
}
