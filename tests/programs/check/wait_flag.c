// expect: verified
// the simplest waiting loop
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *setter(void *arg)
{
    data = 1;
    atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    while (!atomic_load(&flag)) {
    }
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
