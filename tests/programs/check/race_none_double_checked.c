// expect: verified
// double-checked locking with an atomic pointer
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int object;
static _Atomic(int *) instance;

static void *get(void *arg)
{
    int *found = atomic_load_explicit(&instance, memory_order_acquire);
    if (!found) {
        pthread_mutex_lock(&mutex);
        found = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!found) {
            object++;
            found = &object;
            atomic_store_explicit(&instance, found, memory_order_release);
        }
        pthread_mutex_unlock(&mutex);
    }
    assert(*found == 1);
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
