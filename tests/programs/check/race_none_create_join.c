// expect: verified
// creation and join order plain accesses
#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *arg)
{
    x++;
    return arg;
}

int main(void)
{
    pthread_t t;
    x = 1;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    x++;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(x == 4);
    return 0;
}
