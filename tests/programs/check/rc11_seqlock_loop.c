// expect: verified
// selvedge: --model rc11
// a reader of a sequence lock that tries until it has succeeded
// also: --model rc11 -- -DREADER=memory_order_relaxed => assertion line 42
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READER
#define READER memory_order_acquire
#endif
#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)

static atomic_uint sequence;
static atomic_int a, b;

static void *writer(void *arg)
{
    STORE(sequence, 1);
    atomic_thread_fence(memory_order_release);
    STORE(a, 1);
    STORE(b, 1);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    unsigned before, after;
    int first, second;
    pthread_create(&t, NULL, writer, NULL);
    do {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        first = LOAD(a);
        second = LOAD(b);
        atomic_thread_fence(READER);
        after = LOAD(sequence);
    } while (before % 2 != 0 || before != after);
    assert(first == second);
    pthread_join(t, NULL);
    return 0;
}
