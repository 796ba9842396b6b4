// expect: verified
// __atomic_test_and_set, __atomic_clear and __atomic_store_n hand plain data over
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static bool lock;
static int x, flag;

static void *worker(void *arg)
{
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {
    }
    x++;
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
