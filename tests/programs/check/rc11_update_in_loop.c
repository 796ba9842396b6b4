// expect: verified
// selvedge: --model rc11
// an update that leaves the value as it is synchronises, in a loop, too: store buffering with an update as a fence
// also: --model rc11 -- -DRELAXED => assertion line 40
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acq_rel
#endif

static atomic_int x, y, between;
static int saw_x, saw_y;

static void fence(void) {
    for (int k = 0; k < 1; k++) atomic_fetch_add_explicit(&between, 0, ORDER);
}

static void *first(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    fence();
    saw_y = atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

static void *second(void *arg) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    fence();
    saw_x = atomic_load_explicit(&x, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0), pthread_create(&b, 0, second, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    assert(saw_x || saw_y);
    return 0;
}
