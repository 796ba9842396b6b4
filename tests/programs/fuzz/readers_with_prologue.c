// expect: assertion line 36
// selvedge: --explorer source
// found by fuzz explore (classic, seed 3, program 11) and made small: both readers have a step before they
// read; the second reads before main writes, the first after
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *first(void *argument)
{
    atomic_store(&y, 1);
    int seen = atomic_load(&x);
    return seen ? &x : NULL;
}

static void *second(void *argument)
{
    atomic_store(&y, 0);
    int seen = atomic_load(&x);
    return seen ? &x : NULL;
}

int main(void)
{
    pthread_t one, two;
    void *seen_by_first, *seen_by_second;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    atomic_store(&x, 1);
    pthread_join(one, &seen_by_first);
    pthread_join(two, &seen_by_second);

    assert(!(seen_by_first && !seen_by_second));
    return 0;
}
