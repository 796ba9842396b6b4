// expect: data-race line 15|25
// a trylock that fails synchronises with nothing, whatever fences there are: they are about atomic objects
// also: --model tso => data-race line 15|25
// also: --model rc11 => data-race line 15|25
// also: --model ra => data-race line 15|25
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *holder(void *arg)
{
    // Who finds the mutex taken comes later, but nothing says so to the other thread.
    data = 1;
    atomic_thread_fence(memory_order_release);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static int look(void)
{
    atomic_thread_fence(memory_order_acquire);
    return data;
}

int main(void)
{
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, holder, NULL);
    if (pthread_mutex_trylock(&mutex) != 0)
        seen = look();
    else
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return seen > 1;
}
