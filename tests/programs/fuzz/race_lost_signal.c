// expect: data-race line 17|30
// selvedge: --explorer exhaustive --allow deadlock
// a signal that nobody waits for orders nothing: thread 2 is woken by thread 3, and has seen only a relaxed
// flag of thread 1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *first(void *argument)
{
    // The signal is lost if the flag is seen before the wait begins, which it always is.
    data = 1;
    pthread_cond_signal(&condition);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return argument;
}

static void *second(void *argument)
{
    int result = 0;
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
        result = data;
    }
    return result ? argument : NULL;
}

static void *third(void *argument)
{
    pthread_cond_signal(&condition);
    return argument;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_create(&three, NULL, third, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}
