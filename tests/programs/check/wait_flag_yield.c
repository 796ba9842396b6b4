// expect: verified
// waiting with sched_yield
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_bool done;
static int data;

static void *setter(void *arg)
{
    data = 1;
    done = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    while (!done)
        sched_yield();
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
