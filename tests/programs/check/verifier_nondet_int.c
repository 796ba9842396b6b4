// expect: bounded
// not all values of an int are tried: the answer is bounded
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

static atomic_int x;

static void *worker(void *arg)
{
    atomic_store(&x, __VERIFIER_nondet_int());
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 1);
    pthread_join(t, NULL);
    return 0;
}
