// expect: verified
// selvedge: --model rc11
// a ring buffer for one producer and one consumer, both of which wait
// also: --model rc11 -- -DHEAD=memory_order_relaxed => data-race line 43|30
//   an item is read before it is there
// also: --model rc11 -- -DTAIL=memory_order_relaxed => data-race line 30|43
//   an item is overwritten while it is read
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef HEAD
#define HEAD memory_order_release
#endif
#ifndef TAIL
#define TAIL memory_order_release
#endif

enum { SIZE = 1, ITEMS = 3 };

static atomic_int head, tail;
static int items[SIZE];

static void *producer(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        while (i - atomic_load_explicit(&tail, memory_order_acquire) == SIZE) {
        }
        items[i % SIZE] = i;
        atomic_store_explicit(&head, i + 1, HEAD);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < ITEMS; i++) {
        while (atomic_load_explicit(&head, memory_order_acquire) == i) {
        }
        assert(items[i % SIZE] == i);
        atomic_store_explicit(&tail, i + 1, TAIL);
    }
    pthread_join(t, NULL);
    return 0;
}
