// expect: assertion line 15
// two threads pop the same element: the top is read and moved in two steps
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top = 2;
static atomic_int popped[3];

static void *pop(void *arg)
{
    int index = atomic_load(&top);
    atomic_store(&top, index - 1);
    int times = atomic_fetch_add(&popped[index], 1);
    assert(times == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, pop, NULL);
    pop(NULL);
    pthread_join(t, NULL);
    return 0;
}
