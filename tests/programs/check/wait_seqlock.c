// expect: verified
// sequence lock: the reader starts again if a writer was there (all atomics)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int a, b;

static void *writer(void *arg)
{
    atomic_fetch_add(&sequence, 1);
    atomic_store(&a, 1);
    atomic_store(&b, 1);
    atomic_fetch_add(&sequence, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    unsigned before;
    int first, second;
    pthread_create(&t, NULL, writer, NULL);
    do {
        before = atomic_load(&sequence);
        first = atomic_load(&a);
        second = atomic_load(&b);
    } while (before % 2 == 1 || atomic_load(&sequence) != before);
    assert(first == second);
    pthread_join(t, NULL);
    return 0;
}
