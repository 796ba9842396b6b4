// expect: bad-destroy line 22
// a mutex is destroyed while another thread holds it (in some interleavings)
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int entered;

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&entered, 1);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (atomic_load(&entered)) {
        pthread_mutex_destroy(&mutex);
        return 0;
    }
    pthread_join(t, NULL);
    return 0;
}
