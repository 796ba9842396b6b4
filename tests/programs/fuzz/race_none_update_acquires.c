// expect: verified
// selvedge: --explorer exhaustive
// found by fuzz explore (seed 7, program 190) and made small: if the compare-exchange writes, it has read the
// release store that comes after the plain read, so the read happens before it; if it fails, both only read
#include <pthread.h>
#include <stddef.h>

static int x;

static void *first(void *argument)
{
    int seen = x;
    __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
    return seen ? argument : NULL;
}

static void *second(void *argument)
{
    int expected = 1;
    __atomic_compare_exchange_n(&x, &expected, 0, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    return argument;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
