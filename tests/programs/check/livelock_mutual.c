// expect: livelock line 10|20
// two threads wait for each other's flag before they set their own
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mine, yours;

static void *worker(void *arg)
{
    while (!atomic_load(&yours)) {
    }
    atomic_store(&mine, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    while (!atomic_load(&mine)) {
    }
    atomic_store(&yours, 1);
    pthread_join(t, NULL);
    return 0;
}
