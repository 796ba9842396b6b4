// expect: verified
// cleanup handlers executed, or not, by pthread_cleanup_pop
#include <assert.h>
#include <pthread.h>

static int cleaned;

static void clean(void *amount)
{
    cleaned += *(int *)amount;
}

static void *worker(void *arg)
{
    int one = 1, ten = 10;
    pthread_cleanup_push(clean, &one);
    pthread_cleanup_push(clean, &ten);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(cleaned == 1);
    return 0;
}
