// expect: uninitialised line 25
// selvedge: --check uninitialised
// an uninitialised value that travels through shared memory is still uninitialised
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;
static int slot;

static void *writer(void *arg)
{
    int *fresh = malloc(2 * sizeof *fresh);
    fresh[0] = 1;
    slot = fresh[1];
    atomic_store(&shared, &slot);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_join(t, NULL);
    if (*atomic_load(&shared) == 3)
        return 1;
    return 0;
}
