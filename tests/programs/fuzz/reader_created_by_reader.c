// expect: assertion line 36
// selvedge: --explorer source
// found by fuzz explore (classic, seed 3, program 250) and made small: the inner thread reads before main
// writes, the outer one after; thread 2 does not exist yet where main's store could first have been delayed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int x;

static void *inner(void *argument)
{
    int seen = atomic_load(&x);
    return seen ? &x : NULL;
}

static void *outer(void *argument)
{
    pthread_t thread;
    void *seen_by_inner;
    pthread_create(&thread, NULL, inner, NULL);
    int seen = atomic_load(&x);
    pthread_join(thread, &seen_by_inner);
    return seen && !seen_by_inner ? &x : NULL;
}

int main(void)
{
    pthread_t thread;
    void *late;
    pthread_create(&thread, NULL, outer, NULL);
    atomic_store(&x, 1);
    pthread_join(thread, &late);
    assert(!late);
    return 0;
}
