// expect: verified
// a barrier made of a counter and a waiting loop
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived;
static int a[2];

static void *worker(void *arg)
{
    int me = arg != NULL;
    a[me] = 1;
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < 2) {
    }
    assert(a[1 - me] == 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, a);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
