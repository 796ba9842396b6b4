// expect: verified
// a thread joins main, which left by pthread_exit
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;
static int x;

static void *worker(void *arg)
{
    pthread_join(main_thread, NULL);
    assert(x == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, NULL, worker, NULL);
    x = 1;
    pthread_exit(NULL);
}
