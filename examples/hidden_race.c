// A data race that the first run does not show, not even to a race detector that watches it: the mutex puts
// the two accesses in order, but only by accident.
//
// The server prepares its configuration, then counts that it has started. The client counts its visit, then
// reads the configuration. The mutex is there for the counters and for nothing else. If the server comes first,
// it gives the mutex to the client, and all that it did before is in order. If the client comes first, nothing
// is: it may read while the server writes.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int starts, visits; // behind the mutex
static int workers;        // the configuration

static void *server(void *arg)
{
    workers = 4;
    pthread_mutex_lock(&mutex);
    starts++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *client(void *arg)
{
    pthread_mutex_lock(&mutex);
    visits++;
    pthread_mutex_unlock(&mutex);
    printf("%d workers\n", workers); // races with the server
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, server, NULL);
    pthread_create(&two, NULL, client, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d started, %d visited\n", starts, visits);
    return 0;
}
