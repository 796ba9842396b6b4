// expect: livelock line 12
// a thread waits for a flag with the lock held that the setter needs
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&flag)) {
    }
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    atomic_store(&flag, 1);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
