// expect: verified
// selvedge: --model rc11
// double-checked locking with a flag that releases and acquires
// also: --model rc11 -- -DSET=memory_order_relaxed => data-race line 32|27
// also: --model rc11 -- -DLOOK=memory_order_relaxed => data-race line 32|27
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SET
#define SET memory_order_release
#endif
#ifndef LOOK
#define LOOK memory_order_acquire
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;
static int object;

static void *get(void *arg)
{
    if (!atomic_load_explicit(&done, LOOK)) {
        pthread_mutex_lock(&mutex);
        if (!atomic_load_explicit(&done, memory_order_relaxed)) {
            object = 5;
            atomic_store_explicit(&done, 1, SET);
        }
        pthread_mutex_unlock(&mutex);
    }
    assert(object == 5);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, get, NULL);
    get(NULL);
    pthread_join(t, NULL);
    return 0;
}
