// expect: verified
// selvedge: --model sc
// a lock made of two flags, whose waiter sleeps: who gives it back wakes the waiter that it sees, and who
// sees the lock taken sleeps; under sequential consistency one of the two sees the other
// also: --model tso => deadlock line 44
//   the holder looks for waiters while its store is still in a buffer; release and acquire do not help
// also: --model tso -- -DFENCES => verified
//   with fences one of the two sees the other
// also: --model pso => deadlock line 44
//   the holder looks for waiters while its store is still in a buffer; release and acquire do not help
// also: --model pso -- -DFENCES => verified
//   with fences one of the two sees the other
// also: --model rc11 => deadlock line 44
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

static atomic_int held = 1, waiting;
static sem_t wake;

static void *holder(void *arg)
{
    atomic_store_explicit(&held, 0, memory_order_release);
    FENCE();
    if (atomic_load_explicit(&waiting, memory_order_acquire))
        sem_post(&wake);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&wake, 0, 0);
    pthread_create(&t, NULL, holder, NULL);
    atomic_store_explicit(&waiting, 1, memory_order_release);
    FENCE();
    if (atomic_load_explicit(&held, memory_order_acquire))
        sem_wait(&wake);
    pthread_join(t, NULL);
    return 0;
}
