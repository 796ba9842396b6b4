// expect: data-race line 11
// two destructors of thread-specific data count without a lock
#include <pthread.h>

static pthread_key_t key;
static int destroyed;

static void destructor(void *value)
{
    if (value)
        destroyed++;
}

static void *worker(void *arg)
{
    pthread_setspecific(key, &key);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_key_create(&key, destructor);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
