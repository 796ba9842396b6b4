// expect: relock line 10
// a spin lock is locked again by its holder
#include <pthread.h>

static pthread_spinlock_t lock;

static void *worker(void *arg)
{
    pthread_spin_lock(&lock);
    pthread_spin_lock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
