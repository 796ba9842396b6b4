// expect: bad-destroy line 15
// a condition variable is signalled after another thread has destroyed it
// also: -- -DBROADCAST => bad-destroy line 13
#include <pthread.h>

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *destroys(void *arg) {
    pthread_cond_destroy(&condition);
    return arg;
}
#ifdef BROADCAST
static void wake(void) { pthread_cond_broadcast(&condition); }
#else
static void wake(void) { pthread_cond_signal(&condition); }
#endif

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, destroys, 0);
    wake();
    pthread_join(thread, 0);
    return 0;
}
