// lists: double-free line 9, double-free line 13
// an object of the main thread is freed while that one goes round its waiting loop, which nobody can end
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int never;
static int *_Atomic shared;
static void *first(void *argument) {
    free(shared);
    return argument;
}
static void *second(void *argument) {
    free(shared);
    return argument;
}
int main(void) {
    pthread_t threads[2];
    shared = calloc(1, 8);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    while (!never) {
    }
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
