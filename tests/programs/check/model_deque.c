// expect: verified
// selvedge: --model sc
// the work-stealing deque of Chase and Lev: the owner takes from the bottom, a thief steals from the top, and
// only the last item is fought for with a compare-exchange; nothing is taken twice
// also: --model tso => assertion line 86
//   the owner looks at the top while its new bottom is still in a buffer: it and the thief get the same item
// also: -- -DFENCES => verified
//   fences change nothing under sequential consistency
// also: --model tso -- -DFENCES => verified
//   with a fence between the store of the bottom and the load of the top the thief sees the new bottom, or
//   the owner the new top
// also: --model pso -- -DFENCES => verified
//   with the fence, and a release store of the bottom by put(), which keeps the item before it
// also: --model pso -- -DFENCES -DPUT=memory_order_relaxed => assertion line 67
//   with a relaxed store of the bottom by put() the thief may find no item there yet
// also: --model tso -- -DFENCES -DPUT=memory_order_relaxed => verified
//   a relaxed store of the bottom by put() will do, because stores stay in order
// also: --model rc11 => assertion line 67|86
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
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
    atomic_store_explicit(&bottom, end + 1, PUT);
}

static int take(void)
{
    int last = LOAD(bottom) - 1;
    STORE(bottom, last);
    FENCE();
    int first = LOAD(top);
    if (first < last)
        return LOAD(items[last]);
    int item = NONE;
    if (first == last && atomic_compare_exchange_strong(&top, &first, first + 1))
        item = LOAD(items[last]);
    STORE(bottom, last + 1);
    return item;
}

static int steal(void)
{
    int first = LOAD(top);
    if (first >= LOAD(bottom))
        return NONE;
    int item = LOAD(items[first]);
    assert(item != NONE);
    return atomic_compare_exchange_strong(&top, &first, first + 1) ? item : NONE;
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
