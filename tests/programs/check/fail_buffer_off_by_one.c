// expect: out-of-bounds line 14
// a bounded buffer whose test for "full" is off by one, if the consumer is late
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *buffer, count;

static void *producer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        if (count <= 1)
            buffer[count++] = i;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    buffer = malloc(sizeof *buffer);
    pthread_create(&t, NULL, producer, NULL);
    pthread_mutex_lock(&mutex);
    if (count > 0)
        count--;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    free(buffer);
    return 0;
}
