// expect: verified
// happens-before through a third thread: two release-acquire pairs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int first, second;

static void *sender(void *arg)
{
    data = 1;
    atomic_store_explicit(&first, 1, memory_order_release);
    return arg;
}

static void *middle(void *arg)
{
    if (atomic_load_explicit(&first, memory_order_acquire))
        atomic_store_explicit(&second, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&two, NULL, middle, NULL);
    if (atomic_load_explicit(&second, memory_order_acquire))
        assert(data == 1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
