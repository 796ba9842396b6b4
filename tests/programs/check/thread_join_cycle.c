// expect: deadlock line 13|22
// two threads join each other; main has left
#include <pthread.h>

static pthread_t one, two;
static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
    pthread_mutex_lock(&start);
    pthread_t other = two;
    pthread_mutex_unlock(&start);
    pthread_join(other, NULL);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&start);
    pthread_t other = one;
    pthread_mutex_unlock(&start);
    pthread_join(other, NULL);
    return arg;
}

int main(void)
{
    pthread_mutex_lock(&start);
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_mutex_unlock(&start);
    pthread_exit(NULL);
}
