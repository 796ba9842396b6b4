// expect: assertion line 20
// one thread is stopped by an assumption, another goes on into an error: the schedule contains both
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

static atomic_int a;

static void *assuming(void *arg)
{
    selvedge_assume(a == 5);
    return arg;
}

static void *wrong(void *arg)
{
    a = 1;
    a = 2;
    assert(a == 7);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wrong, NULL);
    assuming(NULL);
    pthread_join(t, NULL);
    return 0;
}
