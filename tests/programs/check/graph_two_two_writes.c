// selvedge: --model rc11
// expect: assertion line 37
// two threads write two variables in opposite orders, and what each wrote first is last
// also: --model rc11 -- -DORDER=memory_order_release => assertion line 37
//   releasing orders nothing if nobody acquires
// also: --model rc11 -- -DORDER=memory_order_seq_cst => verified
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;

static void *one(void *arg) {
    atomic_store_explicit(&x, 1, ORDER);
    atomic_store_explicit(&y, 2, ORDER);
    return arg;
}

static void *other(void *arg) {
    atomic_store_explicit(&y, 1, ORDER);
    atomic_store_explicit(&x, 2, ORDER);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    // the first writes of both threads are the last ones
    assert(!(atomic_load(&x) == 1 && atomic_load(&y) == 1));
    return 0;
}
