// expect: verified
// selvedge: --unroll 8
// a loop of three rounds ends well before the bound
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_fetch_add(&x, 1);
    pthread_join(t, NULL);
    assert(atomic_load(&x) == 4);
    return 0;
}
