// expect: verified
// thread-specific data: each thread its own value, the destructor runs when the thread ends
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int destroyed, own = 1, mine = 2;

static void destructor(void *value)
{
    assert(value == &own);
    destroyed++;
}

static void *worker(void *arg)
{
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, &own);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, destructor);
    pthread_setspecific(key, &mine);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(destroyed == 1);
    assert(pthread_getspecific(key) == &mine);
    pthread_key_delete(key);
    return 0;
}
