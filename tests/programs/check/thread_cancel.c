// expect: unsupported line 15
// pthread_cancel is not supported
#include <pthread.h>

static void *worker(void *arg)
{
    pthread_testcancel();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
