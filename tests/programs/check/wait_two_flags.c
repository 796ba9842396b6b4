// expect: verified
// waiting for two flags in one condition
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *set_first(void *arg)
{
    atomic_store(&first, 1);
    return arg;
}

static void *set_second(void *arg)
{
    atomic_store(&second, 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, set_first, NULL);
    pthread_create(&two, NULL, set_second, NULL);
    while (!(atomic_load(&first) && atomic_load(&second))) {
    }
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
