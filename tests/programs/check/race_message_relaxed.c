// expect: data-race line 13|24
// message passing of plain data with a relaxed flag
// also: --model tso => data-race line 13|24
// also: --model pso => data-race line 13|24
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *sender(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
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
