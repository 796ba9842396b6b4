// expect: verified
// message passing of plain data with release and acquire; the receiver waits for the flag
// also: --model tso => verified
//   the plain data is in memory before the flag, and release and acquire order the accesses
// also: --model pso => verified
//   the plain data is in memory before the flag, and release and acquire order the accesses
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
    while (!atomic_load_explicit(&flag, memory_order_acquire)) {
    }
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
