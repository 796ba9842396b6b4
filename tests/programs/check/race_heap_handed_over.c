// expect: verified
// selvedge: --check leak
// a heap object handed over by a release store
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) box;

static void *sender(void *arg)
{
    int *number = malloc(sizeof *number);
    *number = 8;
    atomic_store_explicit(&box, number, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    int *number = atomic_load_explicit(&box, memory_order_acquire);
    if (number)
        assert(*number == 8);
    pthread_join(t, NULL);
    free(atomic_load(&box));
    return 0;
}
