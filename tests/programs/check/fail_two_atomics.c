// expect: assertion line 21
// two atomic operations are not one: the reader sees the pair half changed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *writer(void *arg)
{
    atomic_fetch_add(&a, 1);
    atomic_fetch_add(&b, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int first = atomic_load(&a), second = atomic_load(&b);
    assert(first == second);
    pthread_join(t, NULL);
    return 0;
}
