// selvedge: --explorer se-mcr
// expect: assertion line 44
// what a seed needs may be there in one order of its events and not in another: in the first execution `third` stores last
// also: --explorer mcr --workers 1 => assertion line 44
// also: --explorer vieq => assertion line 44
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;
static int seen, after;

static void *one(void *arg)
{
    atomic_store(&y, 5);
    atomic_store(&z, 1);
    return arg;
}
static void *another(void *arg)
{
    atomic_store(&y, 6);
    atomic_store(&x, 1);
    return arg;
}
static void *third(void *arg)
{
    seen = atomic_load(&x);
    if (seen) {
        int early = atomic_load(&z);
        after = atomic_load(&y);
        if (!early) after = 0;
    }
    return arg;
}
int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, third, NULL);
    pthread_create(&threads[1], NULL, another, NULL);
    pthread_create(&threads[2], NULL, one, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    // The store of 5 came first, and was seen to have: so this took the order in which 6 hides 5.
    assert(!(seen && after == 6));
}
