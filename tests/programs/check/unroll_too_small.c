// expect: bounded
// selvedge: --unroll 3
// a loop of five rounds does not end within three
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    for (int i = 0; i < 5; i++)
        atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_fetch_add(&x, 1);
    pthread_join(t, NULL);
    return 0;
}
