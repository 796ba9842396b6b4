// expect: data-race line 16
// also: --model rc11 => data-race line 16
// also: --model sc --explorer graph => data-race line 16
// a fence does not make a semaphore that is waited for release anything
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static atomic_int flag;
static int x;

static void *worker(void *arg)
{
    x = 1;
    atomic_thread_fence(memory_order_release);
    sem_wait(&semaphore);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    sem_init(&semaphore, 0, 2);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    int seen = 0;
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        sem_wait(&semaphore);
        seen = x;
    }
    pthread_join(thread, NULL);
    return seen > 1;
}
