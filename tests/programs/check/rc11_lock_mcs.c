// expect: verified
// selvedge: --model rc11
// the queue lock of Mellor-Crummey and Scott: everybody waits at a place of its own
// also: --model rc11 -- -DHAND_OVER=memory_order_relaxed => data-race line 37
// also: --model rc11 -- -DLEAVE=memory_order_relaxed => data-race line 37
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef HAND_OVER
#define HAND_OVER memory_order_release
#endif
#ifndef LEAVE
#define LEAVE memory_order_release
#endif

struct place {
    struct place *_Atomic next;
    atomic_int waits;
};

static struct place *_Atomic tail;
static int x;

static void *worker(void *arg)
{
    struct place mine;
    atomic_init(&mine.next, NULL);
    atomic_init(&mine.waits, 1);
    struct place *before = atomic_exchange_explicit(&tail, &mine, memory_order_acq_rel);
    if (before) {
        atomic_store_explicit(&before->next, &mine, memory_order_release);
        while (atomic_load_explicit(&mine.waits, memory_order_acquire)) {
        }
    }
    x++;
    struct place *me = &mine;
    if (atomic_load_explicit(&mine.next, memory_order_acquire) == NULL) {
        if (atomic_compare_exchange_strong_explicit(&tail, &me, NULL, LEAVE, memory_order_relaxed))
            return arg;
        while (atomic_load_explicit(&mine.next, memory_order_acquire) == NULL) {
        }
    }
    struct place *next = atomic_load_explicit(&mine.next, memory_order_acquire);
    atomic_store_explicit(&next->waits, 0, HAND_OVER);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
