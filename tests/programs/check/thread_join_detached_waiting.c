// expect: bad-join line 41
// also: --allow livelock => bad-join line 41
// also: --model rc11 => bad-join line 41
// also: --model tso => bad-join line 41
// also: -- -DDEADLOCK => bad-join line 41
// also: --model rc11 -- -DDEADLOCK => bad-join line 41
// also: -- -DITSELF => bad-join line 41
// also: --model rc11 -- -DITSELF => bad-join line 41
// also: -- -DITSELF -DDEADLOCK => bad-join line 41
// a detached thread that never ends is joined: that is wrong at once, and not because it never ends
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *worker(void *arg)
{
    flag++;
#ifdef ITSELF
    pthread_detach(pthread_self());
#endif
#ifdef DEADLOCK
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#else
    while (flag < 2) { }
#endif
    flag++;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, worker, NULL);
#ifndef ITSELF
    pthread_detach(thread);
#endif
    pthread_join(thread, NULL);
    return 0;
}
