// expect: verified
// the flag is looked at under a lock, again and again
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *setter(void *arg)
{
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, NULL, setter, NULL);
    while (!seen) {
        pthread_mutex_lock(&mutex);
        seen = done;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(t, NULL);
    return 0;
}
