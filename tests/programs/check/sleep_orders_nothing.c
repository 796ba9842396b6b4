// expect: assertion line 21
// a sleep does not make one thread wait for another
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;

static void *worker(void *arg)
{
    atomic_store(&ready, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    sleep(1);
    assert(atomic_load(&ready));
    pthread_join(t, NULL);
    return 0;
}
