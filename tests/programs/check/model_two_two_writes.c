// expect: verified
// selvedge: --model sc
// two threads store two variables in opposite orders: one of the second stores is the last to its variable
// also: --model tso => verified
//   stores stay in order
// also: --model pso => assertion line 32
//   the second stores may get to memory first, and be overwritten by the first ones
// also: --model rc11 => assertion line 32
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)

static atomic_int x, y;

static void *worker(void *arg)
{
    STORE(x, 1);
    STORE(y, 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    STORE(y, 1);
    STORE(x, 2);
    pthread_join(t, NULL);
    assert(LOAD(x) == 2 || LOAD(y) == 2);
    return 0;
}
