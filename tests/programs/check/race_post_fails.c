// expect: data-race line 18
// also: --model rc11 => data-race line 18
// also: --model tso => data-race line 18
// also: -- -DVALUE=INT_MAX-1 => verified
// also: --model rc11 -- -DVALUE=INT_MAX-1 => verified
// a post for which there is no room synchronises with nobody
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static atomic_int flag;
static int x;

static void *worker(void *arg)
{
    x = 1;
    sem_post(&semaphore);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

#ifndef VALUE
#define VALUE INT_MAX
#endif

int main(void)
{
    pthread_t thread;
    int seen = 0;
    sem_init(&semaphore, 0, VALUE);
    pthread_create(&thread, NULL, worker, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        sem_wait(&semaphore);
        seen = x;
    }
    pthread_join(thread, NULL);
    return seen > 1;
}
