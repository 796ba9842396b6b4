// expect: verified
// selvedge: --check leak
// lazy initialisation: the loser of the compare-exchange frees its object
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) instance;

static void *get(void *arg)
{
    int *expected = NULL, *fresh = malloc(sizeof *fresh);
    *fresh = 6;
    if (!atomic_compare_exchange_strong(&instance, &expected, fresh)) {
        free(fresh);
        fresh = expected;
    }
    assert(*fresh == 6);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, get, NULL);
    get(NULL);
    pthread_join(t, NULL);
    free(atomic_load(&instance));
    return 0;
}
