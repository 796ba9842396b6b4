// expect: uninitialised line 15
// selvedge: --check uninitialised --model rc11
// whether a value was ever set depends on the write that it is read from
// also: --check uninitialised --model rc11 -- -DSET => verified
// also: --check uninitialised --model sc --explorer graph => uninitialised line 15
// also: --check uninitialised --model sc --explorer optimal -- -DSET => verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *value;
static int seen;

static void *reads(void *arg) {
    if (atomic_load_explicit(value, memory_order_relaxed)) seen = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    value = malloc(sizeof *value);
#ifdef SET
    atomic_init(value, 0);
#endif
    pthread_create(&thread, 0, reads, 0);
    atomic_store_explicit(value, 1, memory_order_relaxed);
    pthread_join(thread, 0);
    return 0;
}
