// expect: verified
// pthread_exit deep inside a call gives the value to join
#include <assert.h>
#include <pthread.h>

static int answer = 7;

static void leave(void)
{
    pthread_exit(&answer);
}

static void *worker(void *arg)
{
    leave();
    assert(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, &result);
    assert(*(int *)result == 7);
    return 0;
}
