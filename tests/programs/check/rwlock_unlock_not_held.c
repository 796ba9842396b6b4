// expect: bad-unlock line 10
// a thread gives back a readers-writer lock that another one reads: an error in whatever order
// also: -- -DHELD => verified
#include <pthread.h>
#ifndef HELD
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *gives_back(void *arg) {
    pthread_rwlock_t *other = arg;

    pthread_rwlock_unlock(other);
    return arg;
}
#else
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *gives_back(void *arg) {
    // Twice, and for writing in between.
    pthread_rwlock_rdlock(arg), pthread_rwlock_rdlock(arg);
    pthread_rwlock_unlock(arg), pthread_rwlock_unlock(arg);
    pthread_rwlock_wrlock(arg), pthread_rwlock_unlock(arg);
    if (!pthread_rwlock_tryrdlock(arg)) pthread_rwlock_unlock(arg);
    return arg;
}
#endif

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, gives_back, &lock);
    pthread_rwlock_rdlock(&lock);
#ifdef HELD
    pthread_rwlock_unlock(&lock);
#endif
    pthread_join(thread, 0);
    return 0;
}
