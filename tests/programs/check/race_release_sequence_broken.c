// expect: data-race line 11|30
// another thread's relaxed store ends the release sequence
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

static void *middle(void *arg)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    int seen = 0;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&two, NULL, middle, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        seen = data;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return seen > 1;
}
