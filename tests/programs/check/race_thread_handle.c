// expect: data-race line 9|14
// a new thread reads the handle that pthread_create is just about to store
#include <pthread.h>

static pthread_t handle;

static void *worker(void *arg)
{
    return pthread_equal(handle, pthread_self()) ? arg : NULL;
}

int main(void)
{
    pthread_create(&handle, NULL, worker, NULL);
    pthread_join(handle, NULL);
    return 0;
}
