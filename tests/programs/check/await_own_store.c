// selvedge: --explorer optimal --model tso
// expect: verified
// executions: 6
// a thread may find in its own buffer what it waits for
// also: --model pso --explorer optimal => verified
// also: --model tso --explorer exhaustive => verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int y;

static void *replaces(void *argument)
{
    for (int i = 0; i < 2; i++) {
        atomic_exchange_explicit(&y, 2, memory_order_acquire);
    }
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, replaces, NULL);
    atomic_store_explicit(&y, 2, memory_order_release);
    while (atomic_load(&y) != 2) {
    }
    return 0;
}
