// expect: data-race line 11|21
// the two sides hold different mutexes while they access the predicate
#include <pthread.h>

static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER, yours = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *setter(void *arg)
{
    pthread_mutex_lock(&yours);
    ready = 1;
    pthread_mutex_unlock(&yours);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    pthread_mutex_lock(&mine);
    int seen = ready;
    pthread_mutex_unlock(&mine);
    pthread_join(t, NULL);
    return seen > 1;
}
