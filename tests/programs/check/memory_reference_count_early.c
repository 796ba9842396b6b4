// expect: use-after-free line 22
// an owner uses the object after it gave up its share
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int owners = 2;

static void drop(int *object)
{
    pthread_mutex_lock(&mutex);
    if (--owners == 0)
        free(object);
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *arg)
{
    int *object = arg;
    drop(object);
    pthread_mutex_lock(&mutex);
    *object = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *object = malloc(sizeof *object);
    pthread_create(&t, NULL, worker, object);
    drop(object);
    pthread_join(t, NULL);
    return 0;
}
