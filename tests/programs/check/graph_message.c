// selvedge: --model rc11
// expect: assertion line 31
// message passing: the reader sees the flag, and still what was there before the data
// also: --model ra => verified
//   who reads from a write knows all that its thread did before
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DORDERED => verified
//   release and acquire
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ORDERED
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#else
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#endif

static atomic_int data, flag;

static void *writer(void *arg) {
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, RELEASE);
    return arg;
}

static void *reader(void *arg) {
    if (atomic_load_explicit(&flag, ACQUIRE) == 1)
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
