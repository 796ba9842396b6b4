// expect: verified
// two variables, each with its own lock
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a_lock = PTHREAD_MUTEX_INITIALIZER, b_lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void *worker(void *arg)
{
    pthread_mutex_lock(&a_lock);
    a++;
    pthread_mutex_unlock(&a_lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&b_lock);
    b++;
    pthread_mutex_unlock(&b_lock);
    worker(NULL);
    pthread_join(t, NULL);
    assert(a == 2 && b == 1);
    return 0;
}
