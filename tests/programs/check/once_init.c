// expect: verified
// pthread_once: the initialisation runs once, and both threads see it complete
// also: --model tso => verified
// also: --model pso => verified
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void init(void)
{
    value++;
}

static void *worker(void *arg)
{
    pthread_once(&once, init);
    assert(value == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_once(&once, init);
    assert(value == 1);
    pthread_join(t, NULL);
    return 0;
}
