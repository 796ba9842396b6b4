// expect: verified
// a thread creates another and leaves the join to main
// also: --model tso => verified
// also: --model pso => verified
#include <assert.h>
#include <pthread.h>

static pthread_t inner;
static int x;

static void *grandchild(void *arg)
{
    x++;
    return arg;
}

static void *child(void *arg)
{
    x++;
    pthread_create(&inner, NULL, grandchild, NULL);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    pthread_join(t, NULL);
    pthread_join(inner, NULL);
    assert(x == 2);
    return 0;
}
