// expect: verified
// __sync builtins
#include <assert.h>
#include <pthread.h>

static int lock, x, taken;

static void *worker(void *arg)
{
    while (__sync_lock_test_and_set(&lock, 1)) {
    }
    x++;
    __sync_lock_release(&lock);
    __sync_fetch_and_add(&taken, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    __sync_synchronize();
    assert(x == 2 && __sync_bool_compare_and_swap(&taken, 2, 0));
    return 0;
}
