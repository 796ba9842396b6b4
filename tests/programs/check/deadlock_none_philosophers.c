// expect: verified
// three philosophers; the last one takes the forks in the other order
#include <pthread.h>

static pthread_mutex_t fork_of[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER};

static void eat(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *philosopher(void *arg)
{
    pthread_mutex_t *left = arg;
    eat(left, left + 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, philosopher, &fork_of[0]);
    pthread_create(&two, NULL, philosopher, &fork_of[1]);
    eat(&fork_of[0], &fork_of[2]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
