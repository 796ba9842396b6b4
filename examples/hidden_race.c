// A data race that most runs do not show, not even to a race detector: whether the two accesses happen at
// all depends on who gets the mutex first.
//
// The server prepares its configuration, then says so under the mutex. Once that has been said, everything
// is in order: the mutex orders the accesses. But a client that comes before it makes do with the default,
// and writes that to the configuration itself, after it has given the mutex back.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool prepared;
static int workers; // the configuration

static void *server(void *arg)
{
    workers = 4;
    pthread_mutex_lock(&mutex);
    prepared = true;
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *client(void *arg)
{
    pthread_mutex_lock(&mutex);
    bool is_prepared = prepared;
    pthread_mutex_unlock(&mutex);
    if (!is_prepared)
        workers = 1; // races with the server
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, server, NULL);
    pthread_create(&two, NULL, client, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d workers\n", workers);
    return 0;
}
