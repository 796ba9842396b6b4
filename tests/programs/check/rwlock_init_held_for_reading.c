// expect: bad-init line 5
// a readers-writer lock is set up again while another thread has it for reading
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *sets_up(void *argument) { pthread_rwlock_init(&lock, NULL); return argument; }
int main(void) {
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&thread, NULL, sets_up, NULL);
    pthread_join(thread, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}
