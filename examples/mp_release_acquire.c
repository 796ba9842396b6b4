// One thread leaves a message and raises a flag; the other sees the flag and reads the message. The flag is raised with
// release and looked at with acquire: who sees it sees the message, too. The message itself needs no order.
//
//   selvedge check --model rc11 examples/mp_release_acquire.c              verified
//
// In mp_relaxed.c the orders are missing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int data;
static atomic_int flag;

static void *sender(void *arg)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

static void *receiver(void *arg)
{
    if (atomic_load_explicit(&flag, memory_order_acquire) == 1)
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&two, NULL, receiver, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
