// expect: verified
// thread-local variables: each thread has its own, with the initial value
#include <assert.h>
#include <pthread.h>

static _Thread_local int own = 1;

static void *worker(void *arg)
{
    assert(own == 1);
    own++;
    assert(own == 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    own = 10;
    pthread_create(&t, NULL, worker, NULL);
    own++;
    pthread_join(t, NULL);
    assert(own == 11);
    return 0;
}
