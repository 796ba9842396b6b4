// expect: assertion line 22
// both threads see enough money and both take it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int balance = 10;

static void *withdraw(void *arg)
{
    if (atomic_load(&balance) >= 10)
        atomic_fetch_sub(&balance, 10);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, withdraw, NULL);
    withdraw(NULL);
    pthread_join(t, NULL);
    assert(atomic_load(&balance) >= 0);
    return 0;
}
