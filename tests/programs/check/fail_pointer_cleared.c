// expect: null-dereference line 12
// check and use of a pointer are two loads; in between another thread clears it
#include <pthread.h>
#include <stdatomic.h>

static int target = 1;
static _Atomic(int *) pointer = &target;

static void *worker(void *arg)
{
    if (atomic_load(&pointer))
        return *atomic_load(&pointer) ? arg : NULL;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&pointer, NULL);
    pthread_join(t, NULL);
    return 0;
}
