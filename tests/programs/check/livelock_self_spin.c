// expect: livelock line 10
// a home-made spin lock is taken twice by the same thread
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;

static void take(void)
{
    while (atomic_flag_test_and_set(&lock)) {
    }
}

static void *worker(void *arg)
{
    take();
    take();
    atomic_flag_clear(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
