// expect: verified
// selvedge: --model rc11
// the work-stealing deque of Chase and Lev with the fences of Lê and others (PPoPP 2013)
// also: --model rc11 -- -DTAKE=memory_order_acq_rel => assertion line 82
//   the owner must see that the last item was stolen, or the thief that it was taken
// also: --model rc11 -- -DSTEAL=memory_order_acquire => assertion line 82
// also: --model rc11 -- -DPUT=memory_order_relaxed => assertion line 62
//   the thief finds no item there yet
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef TAKE
#define TAKE memory_order_seq_cst
#endif
#ifndef STEAL
#define STEAL memory_order_seq_cst
#endif
#ifndef PUT
#define PUT memory_order_release
#endif
#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)

enum { NONE = 0, ITEMS = 2 };

static atomic_int top, bottom, items[ITEMS];
static int stolen[ITEMS];

static void put(int item)
{
    int end = LOAD(bottom);
    STORE(items[end], item);
    atomic_thread_fence(PUT);
    STORE(bottom, end + 1);
}

static int take(void)
{
    int last = LOAD(bottom) - 1;
    STORE(bottom, last);
    atomic_thread_fence(TAKE);
    int first = LOAD(top);
    if (first < last)
        return LOAD(items[last]);
    int item = NONE;
    if (first == last && atomic_compare_exchange_strong_explicit(&top, &first, first + 1, memory_order_seq_cst,
                                                                 memory_order_relaxed))
        item = LOAD(items[last]);
    STORE(bottom, last + 1);
    return item;
}

static int steal(void)
{
    int first = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(STEAL);
    if (first >= atomic_load_explicit(&bottom, memory_order_acquire))
        return NONE;
    int item = LOAD(items[first]);
    assert(item != NONE);
    return atomic_compare_exchange_strong_explicit(&top, &first, first + 1, memory_order_seq_cst,
                                                   memory_order_relaxed) ? item : NONE;
}

static void *thief(void *arg)
{
    for (int i = 0; i < ITEMS; i++)
        stolen[i] = steal();
    return arg;
}

int main(void)
{
    pthread_t t;
    put(1);
    pthread_create(&t, NULL, thief, NULL);
    put(2);
    int taken = take();
    pthread_join(t, NULL);
    assert(taken == NONE || (taken != stolen[0] && taken != stolen[1]));
    return 0;
}
