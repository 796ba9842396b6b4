// expect: verified
// also: --model tso => verified
// also: --model pso => verified
// also: --explorer exhaustive => verified
// also: --model rc11 => verified
// Whoever reads what additions have made of a counter synchronises with all of them; and an addition synchronises with what somebody
// has read before it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static int x, y;

static void *one(void *arg)
{
    x = 1;
    atomic_fetch_add_explicit(&counter, 1, memory_order_release);
    return arg;
}

static void *other(void *arg)
{
    y = 1;
    atomic_fetch_add_explicit(&counter, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, other, NULL);
    if (atomic_load_explicit(&counter, memory_order_acquire) == 2)
        x = y;
    if (atomic_load_explicit(&counter, memory_order_relaxed) == 2) {
        // Not to get its value, but to acquire.
        atomic_fetch_add_explicit(&counter, 0, memory_order_acquire);
        x = y;
    }
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
