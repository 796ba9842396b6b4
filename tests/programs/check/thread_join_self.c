// expect: bad-join line 7
// a thread joins itself
#include <pthread.h>

static void *worker(void *arg)
{
    pthread_join(pthread_self(), NULL);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
