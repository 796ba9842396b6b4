// lists: bad-destroy line 8, bad-destroy line 12, bad-unlock line 13
// a wait that finds its semaphore destroyed, with the same count as when it has to wait
#include <pthread.h>
#include <semaphore.h>
static pthread_spinlock_t spin;
static sem_t semaphore;
static void *posts(void *argument) {
    sem_post(&semaphore);
    return argument;
}
static void *waits(void *argument) {
    sem_wait(&semaphore);
    pthread_spin_unlock(&spin);
    return argument;
}
int main(void) {
    pthread_t threads[2];
    pthread_spin_init(&spin, 0);
    sem_init(&semaphore, 0, 0);
    pthread_create(&threads[0], NULL, posts, NULL);
    pthread_create(&threads[1], NULL, waits, NULL);
    sem_destroy(&semaphore);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
