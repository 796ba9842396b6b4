// expect: verified
// selvedge: --model sc
// a thread reads its own store of x, then y before the other thread stores it; if the other thread's x comes
// after that, it is the last
// also: --model tso => assertion line 34
//   x may be read from the own buffer, and get to memory after the stores of the other thread
// also: --model pso => assertion line 34
//   x may be read from the own buffer, and get to memory after the stores of the other thread
// also: --model rc11 => assertion line 34
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)

static atomic_int x, y;

static void *worker(void *arg)
{
    STORE(y, 1);
    STORE(x, 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    STORE(x, 1);
    int own = LOAD(x);
    int other = LOAD(y);
    pthread_join(t, NULL);
    assert(!(own == 1 && other == 0 && LOAD(x) == 1));
    return 0;
}
