// expect: verified
// an object with atomic fields, private at first, is handed over by a relaxed store of its address
// also: --model tso => verified
//   stores stay in order: the fields are in memory before the pointer
// also: --model pso => assertion line 42
//   the pointer may be in memory before the fields, though these were stored while the object was private
// also: --model pso -- -DPUBLISH=memory_order_release => verified
//   a release store of the pointer comes after the fields
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef PUBLISH
#define PUBLISH memory_order_relaxed
#endif
#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)

struct position {
    atomic_int x, y;
};
static struct position *_Atomic current;

static void *writer(void *arg)
{
    struct position *position = calloc(1, sizeof *position);
    STORE(position->x, 1);
    STORE(position->y, 2);
    atomic_store_explicit(&current, position, PUBLISH);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    struct position *position = LOAD(current);
    if (position != NULL) {
        int x = LOAD(position->x);
        int y = LOAD(position->y);
        assert(x + 1 == y);
    }
    pthread_join(t, NULL);
    return 0;
}
