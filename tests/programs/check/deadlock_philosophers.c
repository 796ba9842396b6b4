// expect: deadlock line 13
// three philosophers, each with the left fork first (main is the third)
#include <pthread.h>

static pthread_mutex_t fork_of[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER};
static int numbers[3] = {0, 1, 2};

static void *philosopher(void *arg)
{
    int left = *(int *)arg, right = (left + 1) % 3;
    pthread_mutex_lock(&fork_of[left]);
    pthread_mutex_lock(&fork_of[right]);
    pthread_mutex_unlock(&fork_of[right]);
    pthread_mutex_unlock(&fork_of[left]);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, philosopher, &numbers[0]);
    pthread_create(&two, NULL, philosopher, &numbers[1]);
    philosopher(&numbers[2]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
