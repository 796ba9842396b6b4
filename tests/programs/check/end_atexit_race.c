// expect: data-race line 10|15
// an exit handler reads what an unjoined thread writes
#include <pthread.h>
#include <stdlib.h>

static int x, copy;

static void handler(void)
{
    copy = x;
}

static void *worker(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    atexit(handler);
    pthread_create(&t, NULL, worker, NULL);
    return 0;
}
