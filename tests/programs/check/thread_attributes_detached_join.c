// expect: bad-join line 17
// a thread created detached by its attributes is joined
#include <pthread.h>

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attributes, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
