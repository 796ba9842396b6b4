// lists: relock line 14, deadlock line 13
// a thread that waits for a spin lock of four bytes races with whoever has it, though that one has stopped
#include <pthread.h>
static pthread_spinlock_t spin;
static void *locks(void *argument) {
    pthread_spin_lock(&spin);
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_spin_init(&spin, 0);
    pthread_create(&thread, NULL, locks, NULL);
    pthread_spin_lock(&spin);
    pthread_spin_lock(&spin);
    pthread_join(thread, NULL);
    return 0;
}
