// expect: bad-destroy line 21
// selvedge: --explorer graph
// a mutex is destroyed while another thread holds it, also if the graph already has the unlocking
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

static void *other(void *arg)
{
    if (atomic_load(&entered)) {
        pthread_mutex_destroy(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, worker, NULL);
    pthread_create(&u, NULL, other, NULL);
    return 0;
}
