// selvedge: --explorer optimal
// expect: verified
// executions: 1
// which values a thread has seen while it waited for another one makes no difference
// also: --explorer source => verified
// also: --explorer exhaustive => verified
// also: --model tso --explorer optimal => verified
// also: --model rc11 => verified
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, lock;

static int value(void) { return atomic_load(&x); }

static void *counts(void *argument)
{
    for (int i = 1; i <= 6; i++) {
        atomic_store(&x, i);
    }
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, counts, NULL);
    /* Through a function, and with a yield. */
    while (value() < 6) {
        sched_yield();
    }
    while (atomic_exchange(&lock, 1) != 0) {
    }
    for (int expected = 0; !atomic_compare_exchange_weak(&x, &expected, 7); expected = 6) {
    }
    pthread_join(thread, NULL);
    return 0;
}
