// expect: verified
// waiting spelled with goto
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
    pthread_create(&t, NULL, setter, NULL);
again:
    if (atomic_load(&flag) == 0)
        goto again;
    pthread_join(t, NULL);
    return 0;
}
