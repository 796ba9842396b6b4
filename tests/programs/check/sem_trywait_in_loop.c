// expect: assertion line 21
// a loop that takes from a semaphore each time round is no waiting loop: it may take what was posted after its last round
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static sem_t semaphore;
static atomic_int stop;
static void *takes(void *argument) {
    while (!stop) sem_trywait(&semaphore);
    return argument;
}
int main(void) {
    pthread_t thread;
    int value;
    sem_init(&semaphore, 0, 1);
    pthread_create(&thread, NULL, takes, NULL);
    do sem_getvalue(&semaphore, &value); while (value != 0);
    sem_post(&semaphore);
    sem_getvalue(&semaphore, &value);
    assert(value == 1);
    stop = 1;
    pthread_join(thread, NULL);
    return 0;
}
