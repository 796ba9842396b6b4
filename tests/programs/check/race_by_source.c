// expect: data-race line 14|28
// what is read tells that the store of `data` came first, but not whether the sender's release was read, or the other
// store of the same value, which orders nothing
// also: --model tso => data-race line 14|28
// also: --model rc11 => data-race line 14|28
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, done;
static int data;

static void *sender(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return arg;
}

static void *other(void *arg)
{
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

static int look(void)
{
    return data;
}

int main(void)
{
    pthread_t one, two;
    int seen = 0;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&two, NULL, other, NULL);
    if (atomic_load_explicit(&done, memory_order_relaxed) == 1 &&
        atomic_load_explicit(&flag, memory_order_acquire) == 1)
        seen = look();
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return seen > 1;
}
