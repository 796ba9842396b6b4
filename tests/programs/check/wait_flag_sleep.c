// expect: verified
// waiting with usleep and nanosleep
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int stage;

static void *worker(void *arg)
{
    struct timespec moment = {0, 1000};
    atomic_store(&stage, 1);
    while (atomic_load(&stage) != 2)
        nanosleep(&moment, NULL);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    while (atomic_load(&stage) != 1)
        usleep(1);
    atomic_store(&stage, 2);
    pthread_join(t, NULL);
    return 0;
}
