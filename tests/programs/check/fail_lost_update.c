// expect: assertion line 23
// lost update: load and store of an atomic are two steps
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int balance = 10;

static void *deposit(void *arg)
{
    int before = atomic_load(&balance);
    atomic_store(&balance, before + 5);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, deposit, NULL);
    pthread_create(&two, NULL, deposit, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(atomic_load(&balance) == 20);
    return 0;
}
