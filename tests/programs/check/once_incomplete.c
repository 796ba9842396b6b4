// expect: assertion line 14
// the flag of a hand-made once is set before the value: the other thread comes too early
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag begun = ATOMIC_FLAG_INIT;
static atomic_int value;

static void *worker(void *arg)
{
    if (!atomic_flag_test_and_set(&begun))
        atomic_store(&value, 9);
    assert(atomic_load(&value) == 9);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
