// expect: assertion line 8|17
// a call of reach_error is a failure, even if the program defines it as empty
#include <pthread.h>
#include <stdatomic.h>

void reach_error(void);

void reach_error(void)
{
}

static atomic_int x;

static void *worker(void *arg)
{
    if (atomic_load(&x) == 1)
        reach_error();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 1);
    atomic_store(&x, 0);
    pthread_join(t, NULL);
    return 0;
}
