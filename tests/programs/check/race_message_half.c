// expect: data-race line 11|22
// message passing: release on one side is not enough if the other side is relaxed
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *sender(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, NULL, sender, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        seen = data;
    pthread_join(t, NULL);
    return seen > 1;
}
