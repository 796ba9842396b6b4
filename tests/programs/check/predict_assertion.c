// selvedge: --explorer mcr --predict --max-executions 1
// expect: assertion line 25
// two reads in a row have to be told something else, and both are in the first execution
// also: --explorer mcr --predict --max-executions 1 --model tso => assertion line 25
// also: --explorer se-mcr --predict -- -DLOCKED => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int low = 1, high = 2;

static void *reader(void *arg)
{
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    int a = low;
    int b = high;
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    // 3 and 2: the first store of the other thread, but not the second.
    assert(a <= b);
    return arg;
}

static void *writer(void *arg)
{
    pthread_mutex_lock(&lock);
    low = 3;
    high = 4;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
