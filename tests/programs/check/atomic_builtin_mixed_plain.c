// expect: data-race line 9|17
// an atomic and a plain access to the same variable
#include <pthread.h>

static int x;

static void *worker(void *arg)
{
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int seen = x;
    pthread_join(t, NULL);
    return seen > 1;
}
