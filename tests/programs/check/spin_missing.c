// expect: data-race line 11|21
// one of two threads forgets the spin lock
#include <pthread.h>

static pthread_spinlock_t lock;
static int x;

static void *worker(void *arg)
{
    pthread_spin_lock(&lock);
    x = 1;
    pthread_spin_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, worker, NULL);
    x = 2;
    pthread_join(t, NULL);
    return 0;
}
