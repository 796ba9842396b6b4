// expect: verified
// selvedge: --model rc11
// threads that wait by exchanging 1 for 1 do not wait for each other's writes
// also: --model sc --explorer graph => verified
// also: --model sc => verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int taken;

static void *spinner(void *arg)
{
    while (atomic_exchange(&taken, 1)) {
    }
    return arg;
}

static void *taker(void *arg)
{
    while (atomic_exchange(&taken, 1)) {
    }
    atomic_store(&taken, 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, spinner, NULL);
    pthread_create(&t, NULL, spinner, NULL);
    pthread_create(&t, NULL, taker, NULL);
    return 0;
}
