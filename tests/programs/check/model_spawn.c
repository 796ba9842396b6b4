// expect: verified
// a new thread sees what its creator stored before; both threads are there so that stores are seen at all
// also: --model tso => verified
//   a thread is created when the buffers of its creator are empty
// also: --model pso => verified
//   a thread is created when the buffers of its creator are empty
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int plain;

static void *grandchild(void *arg)
{
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
    assert(atomic_load_explicit(&y, memory_order_relaxed) == 1);
    assert(plain == 1);
    return arg;
}

static void *child(void *arg)
{
    pthread_t t;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    plain = 1;
    pthread_create(&t, NULL, grandchild, NULL);
    pthread_join(t, NULL);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
