// expect: bad-unlock line 9
// a spin lock is unlocked by a thread that does not hold it
#include <pthread.h>

static pthread_spinlock_t lock;

static void *worker(void *arg)
{
    pthread_spin_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
