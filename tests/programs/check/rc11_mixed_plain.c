// expect: data-race line 14|26
// selvedge: --model rc11
// an atomic store and a plain load of the same variable
// also: --model sc --explorer graph => data-race line 14|26
// also: --model rc11 -- -DJOINED => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int x;

static void *worker(void *arg)
{
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
#ifdef JOINED
    pthread_join(t, NULL);
    assert(x == 1);
#else
    assert(x == 0 || x == 1);
    pthread_join(t, NULL);
#endif
    return 0;
}
