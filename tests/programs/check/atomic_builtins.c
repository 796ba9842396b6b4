// expect: verified
// __atomic builtins
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *worker(void *arg)
{
    int expected = 0;
    __atomic_add_fetch(&x, 2, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(&y, &expected, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    __atomic_fetch_sub(&x, 1, __ATOMIC_ACQ_REL);
    int before = __atomic_exchange_n(&y, 9, __ATOMIC_ACQUIRE);
    pthread_join(t, NULL);
    assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 1);
    assert((before == 7 || before == 0) && y == 9);
    return 0;
}
