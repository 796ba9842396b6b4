// lists: bad-destroy line 10, bad-destroy line 15
// the main thread waits in a loop that nobody can end while an object of its own is freed
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int never;
static int *_Atomic shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *destroys(void *argument) {
    pthread_mutex_destroy(&mutex);
    free(shared);
    return argument;
}
static void *locks(void *argument) {
    pthread_mutex_lock(&mutex);
    return argument;
}
int main(void) {
    pthread_t threads[2];
    shared = calloc(1, 8);
    pthread_create(&threads[0], NULL, destroys, NULL);
    pthread_create(&threads[1], NULL, locks, NULL);
    while (!never) {
    }
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
