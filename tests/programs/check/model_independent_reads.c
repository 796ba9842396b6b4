// expect: verified
// selvedge: --model sc
// two threads store a variable each, two read both in opposite orders: they agree on which came first, for
// there is one memory behind all buffers
// also: --model tso => verified
//   there is one memory behind all buffers, and loads stay in order
// also: --model pso => verified
//   there is one memory behind all buffers, and loads stay in order
// also: --model rc11 => assertion line 55
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)

static atomic_int x, y;
static int sees_x_first, sees_y_first;

static void *set_x(void *arg)
{
    STORE(x, 1);
    return arg;
}

static void *set_y(void *arg)
{
    STORE(y, 1);
    return arg;
}

static void *x_then_y(void *arg)
{
    int first = LOAD(x), second = LOAD(y);
    sees_x_first = first == 1 && second == 0;
    return arg;
}

static void *y_then_x(void *arg)
{
    int first = LOAD(y), second = LOAD(x);
    sees_y_first = first == 1 && second == 0;
    return arg;
}

int main(void)
{
    void *(*roles[])(void *) = {set_x, set_y, x_then_y, y_then_x};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, roles[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(!(sees_x_first && sees_y_first));
    return 0;
}
