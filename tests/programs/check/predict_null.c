// selvedge: --explorer mcr --predict --max-executions 1
// expect: null-dereference line 19
// the pointer is tested, and read again; in between it may be taken back
// also: --explorer mcr --predict --max-executions 1 -- -DONCE => incomplete
// also: --explorer se-mcr --predict -- -DONCE => verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int number;
static atomic_int *_Atomic shared = &number;

static void *user(void *arg)
{
#ifdef ONCE
    atomic_int *mine = shared;
    if (mine) atomic_fetch_add(mine, 1);
#else
    if (shared) atomic_fetch_add(shared, 1);
#endif
    return arg;
}

static void *owner(void *arg)
{
    shared = NULL;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, user, NULL);
    pthread_create(&threads[1], NULL, owner, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
