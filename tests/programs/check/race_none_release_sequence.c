// expect: verified
// a release sequence goes on through another thread's relaxed read-modify-write
#include <assert.h>
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
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&two, NULL, middle, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        assert(data == 1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
