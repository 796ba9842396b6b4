// expect: data-race line 11|15
// double-checked locking with a plain pointer
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int object;
static int *instance;

static void *get(void *arg)
{
    if (!instance) {
        pthread_mutex_lock(&mutex);
        if (!instance) {
            object = 5;
            instance = &object;
        }
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, get, NULL);
    get(NULL);
    pthread_join(t, NULL);
    return 0;
}
