// expect: verified
// selvedge: --model rc11
// a sequence lock, as Boehm wrote it (2012): the data is relaxed, fences keep it between the two numbers
// also: --model rc11 -- -DREADER=memory_order_relaxed => assertion line 49
//   the second look at the number comes too early
// also: --model rc11 -- -DWRITER=memory_order_relaxed => assertion line 49
//   the data is written before the odd number
// also: --model rc11 -- -DEND=memory_order_relaxed => assertion line 49
//   the even number is written before the data
// also: --model sc --explorer graph -- -DREADER=memory_order_relaxed -DWRITER=memory_order_relaxed => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READER
#define READER memory_order_acquire
#endif
#ifndef WRITER
#define WRITER memory_order_release
#endif
#ifndef END
#define END memory_order_release
#endif
#define LOAD(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define STORE(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)

static atomic_uint sequence;
static atomic_int a, b;

static void *writer(void *arg)
{
    STORE(sequence, 1);
    atomic_thread_fence(WRITER);
    STORE(a, 1);
    STORE(b, 1);
    atomic_store_explicit(&sequence, 2, END);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int first = LOAD(a);
    int second = LOAD(b);
    atomic_thread_fence(READER);
    if (before % 2 == 0 && LOAD(sequence) == before)
        assert(first == second);
    pthread_join(t, NULL);
    return 0;
}
