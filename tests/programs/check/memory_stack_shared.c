// expect: verified
// a local variable of main is shared with a thread that main joins
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void *worker(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    atomic_int local = 1;
    pthread_create(&t, NULL, worker, &local);
    atomic_fetch_add(&local, 1);
    pthread_join(t, NULL);
    assert(local == 3);
    return 0;
}
