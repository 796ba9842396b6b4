// expect: data-race line 11|23
// the release fence comes after the store of the flag
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *sender(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, NULL, sender, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        seen = data;
    pthread_join(t, NULL);
    return seen > 1;
}
