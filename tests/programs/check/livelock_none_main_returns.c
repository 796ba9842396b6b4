// expect: verified
// a thread that waits for ever is no error if the process ends
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *waiter(void *arg)
{
    while (!atomic_load(&flag)) {
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    return 0;
}
