// selvedge: --explorer mcr --predict --max-executions 1
// expect: data-race line 27
// the first execution has a lock between the two accesses; nothing says that it has to be taken in that order
// also: --explorer se-mcr --predict => data-race line 27
// also: --explorer se-mcr --predict --allow data-race => verified
// also: --explorer se-mcr --predict --model tso => data-race line 27
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data, last;

static void *first(void *arg)
{
    data = 1;
    pthread_mutex_lock(&lock);
    last = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&lock);
    last = 2;
    pthread_mutex_unlock(&lock);
    data = 2;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
