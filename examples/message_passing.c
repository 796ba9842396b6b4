// A sensor writes a measurement, then says that it is there. Whoever sees that it is there expects to see the
// measurement, too.
//
// All accesses are relaxed, so there is no data race, and no promise of the language either. Under sequential
// consistency and TSO stores stay in order, and all is well; under PSO the flag may be in memory first. With
// memory_order_release for the store of the flag it is right there, too.
//
//   selvedge check examples/message_passing.c                 verified
//   selvedge check --model tso examples/message_passing.c     verified
//   selvedge check --model pso examples/message_passing.c     the assertion fails
//   selvedge check --robust tso examples/message_passing.c    TSO adds no behaviour
//   selvedge check --robust pso examples/message_passing.c    PSO does
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_int measurement;
static atomic_bool is_there;

static void *sensor(void *arg)
{
    atomic_store_explicit(&measurement, 21, memory_order_relaxed);
    atomic_store_explicit(&is_there, true, memory_order_relaxed);
    return arg;
}

static void *display(void *arg)
{
    if (atomic_load_explicit(&is_there, memory_order_relaxed))
        assert(atomic_load_explicit(&measurement, memory_order_relaxed) == 21);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, sensor, NULL);
    pthread_create(&two, NULL, display, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
