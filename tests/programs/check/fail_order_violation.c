// expect: null-dereference line 12
// the thread may use the pointer before main has set it
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) pointer;
static int target = 1;

static void *worker(void *arg)
{
    int *p = atomic_load(&pointer);
    return *p ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&pointer, &target);
    pthread_join(t, NULL);
    return 0;
}
