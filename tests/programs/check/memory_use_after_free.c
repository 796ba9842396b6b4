// expect: use-after-free line 12
// main frees under the lock, the thread does not ask whether the object is still there
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *object;

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    *object = 1;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    object = malloc(sizeof *object);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    free(object);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
