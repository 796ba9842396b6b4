// selvedge: --allow data-race --allow livelock
// expect: use-after-free line 18
// a thread waits at an object that another one frees, which had to read something older for that
// also: --allow data-race --allow livelock --explorer graph => use-after-free line 18
// also: --allow data-race --allow livelock --model rc11 => use-after-free line 18
// also: --allow data-race --allow livelock --explorer optimal => use-after-free line 18
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) shared;
static atomic_int y;

static void *waits(void *argument)
{
    (void)argument;
    atomic_int *flag = atomic_load(&shared);
    while (!atomic_load(flag)) {
    }
    return NULL;
}

static void *frees(void *argument)
{
    (void)argument;
    while (atomic_load(&y) != 1) {
    }
    free(atomic_load(&shared));
    return NULL;
}

int main(void)
{
    atomic_int *flag = malloc(sizeof *flag);
    if (!flag)
        return 0;
    atomic_init(flag, 0);
    atomic_store(&shared, flag);
    pthread_t one, two;
    pthread_create(&one, NULL, waits, NULL);
    pthread_create(&two, NULL, frees, NULL);
    atomic_store(&y, 1);
    atomic_store(&y, 2);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
