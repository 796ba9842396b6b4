// expect: assertion line 23
// selvedge: --unroll 4
// the bound does not hide a failure that needs only two rounds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *setter(void *arg)
{
    atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    int rounds = 0;
    pthread_create(&t, NULL, setter, NULL);
    while (!atomic_load(&flag))
        rounds++;
    assert(rounds < 2);
    pthread_join(t, NULL);
    return 0;
}
