// expect: verified
// message passing with release and acquire
// also: --model tso => verified
// also: --model pso => verified
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

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
