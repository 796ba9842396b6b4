// expect: verified
// waiting with for (;;) and break
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *setter(void *arg)
{
    atomic_store_explicit(&flag, 3, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    for (;;) {
        int value = atomic_load_explicit(&flag, memory_order_acquire);
        if (value == 3)
            break;
    }
    pthread_join(t, NULL);
    return 0;
}
