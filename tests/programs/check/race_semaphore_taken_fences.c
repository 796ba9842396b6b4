// expect: data-race line 19|28
// who takes a semaphore gives nothing to who takes it next, whatever fences there are: they are about atomic
// objects, and no fence comes after the load of the one here
// also: --explorer graph => data-race line 19|28
// also: --model tso => data-race line 19|28
// also: --model rc11 => data-race line 19|28
// also: --model ra => data-race line 19|28
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static atomic_int done;
static int data;

static void *taker(void *arg)
{
    sem_wait(&semaphore);
    data = 1;
    atomic_thread_fence(memory_order_release);
    sem_wait(&semaphore);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return arg;
}

static int look(void)
{
    return data;
}

int main(void)
{
    pthread_t thread;
    int seen = 0;
    sem_init(&semaphore, 0, 3);
    pthread_create(&thread, NULL, taker, NULL);
    if (atomic_load_explicit(&done, memory_order_relaxed) != 0) {
        sem_wait(&semaphore);
        seen = look();
    }
    pthread_join(thread, NULL);
    return seen > 1;
}
