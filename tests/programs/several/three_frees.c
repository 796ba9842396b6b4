// selvedge: --allow data-race
// lists: double-free line 9, double-free line 13, double-free line 22, use-after-free line 21
// whoever frees first, the other two go wrong: graphs went round and round among the three
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *shared;
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
    shared = calloc(1, sizeof *shared);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    (void)atomic_load(shared);
    free(shared);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
