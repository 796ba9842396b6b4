// expect: assertion line 40
// selvedge: --preemptions 1
// found by fuzz explore and made small: the second thread writes before the first gives the mutex back, and has
// to wait for it; leaving it there is no preemption, as it would be after the unlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&x, 1);
    pthread_mutex_unlock(&mutex);
    int seen = atomic_load(&x);
    return seen == 0 ? &x : NULL;
}

static void *second(void *argument)
{
    atomic_store(&x, 0);
    pthread_mutex_lock(&mutex);
    int seen = atomic_fetch_add(&x, 2);
    pthread_mutex_unlock(&mutex);
    return seen == 0 ? &x : NULL;
}

int main(void)
{
    pthread_t one, two;
    void *seen_by_first, *seen_by_second;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, &seen_by_first);
    pthread_join(two, &seen_by_second);
    // The store of the second thread comes between the store and the load of the first.
    assert(!(seen_by_first && seen_by_second));
    return 0;
}
