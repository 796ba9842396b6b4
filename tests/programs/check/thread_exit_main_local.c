// expect: verified
// main has left by pthread_exit, but its thread may go on with a static object main prepared
#include <assert.h>
#include <pthread.h>

static int prepared;

static void *worker(void *arg)
{
    int *p = arg;
    assert(*p == 3);
    *p = 4;
    return NULL;
}

int main(void)
{
    pthread_t t;
    prepared = 3;
    pthread_create(&t, NULL, worker, &prepared);
    pthread_detach(t);
    pthread_exit(NULL);
}
