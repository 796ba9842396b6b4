// expect: bad-join line 15
// a detached thread is joined
#include <pthread.h>

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    pthread_join(t, NULL);
    return 0;
}
