// expect: verified
// selvedge: --model rc11
// test-and-set by three threads, twice each: updates of what is set already end with their round
// also: --model rc11 -- -DTHREADS=2 -DROUNDS=3 => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int lock;
static int count;

static void *work(void *arg) {
    for (int round = 0; round < ROUNDS; round++) {
        while (atomic_exchange_explicit(&lock, 1, memory_order_acquire)) {
        }
        count++;
        atomic_store_explicit(&lock, 0, memory_order_release);
    }
    return arg;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    assert(count == THREADS * ROUNDS);
    return 0;
}
