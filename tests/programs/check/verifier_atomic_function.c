// expect: verified
// a function whose name begins with __VERIFIER_atomic_ is atomic as a whole
#include <assert.h>
#include <pthread.h>

static int x, y;

static void __VERIFIER_atomic_move(void)
{
    x = x + 1;
    y = y - 1;
}

static void __VERIFIER_atomic_check(void)
{
    assert(x + y == 0);
}

static void *worker(void *arg)
{
    __VERIFIER_atomic_move();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    __VERIFIER_atomic_check();
    __VERIFIER_atomic_move();
    pthread_join(t, NULL);
    __VERIFIER_atomic_check();
    return 0;
}
