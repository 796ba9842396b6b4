// expect: data-race line 21|30
// the only load in a race with the plain store is one that goes round in vain: the last one has acquired what comes after the store
// also: --explorer optimal --workers 2 => data-race line 21|30
// also: --explorer source => data-race line 21|30
// also: --explorer classic => data-race line 21|30
// also: --explorer exhaustive => data-race line 21|30
// also: --explorer context => data-race line 21|30
// also: --model tso => data-race line 21|30
// also: --model rc11 => data-race line 21|30
// also: --allow data-race --explorer optimal => verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *tells(void *argument)
{
    atomic_store_explicit((atomic_int *)argument, 0, memory_order_relaxed);
    /* As plain memory. */
    *(int *)argument = 0;
    atomic_store_explicit((atomic_int *)argument, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, tells, &x);
    while (atomic_load_explicit(&x, memory_order_acquire) != 1) {
    }
    pthread_join(thread, NULL);
    return 0;
}
