// expect: leak line 13
// selvedge: --check leak
// lazy initialisation by two threads: one of the two objects is lost
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) instance;

static void *get(void *arg)
{
    if (!atomic_load(&instance))
        atomic_store(&instance, malloc(sizeof(int)));
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
