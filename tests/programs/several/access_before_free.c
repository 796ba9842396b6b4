// selvedge: --allow data-race
// lists: use-after-free line 13, assertion line 14, use-after-free line 19, assertion line 20
// each thread comes to its access only when it has freed something itself: the access may come before the other's free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *first;
static atomic_int *second;
static atomic_int unlucky;
static void *frees_first(void *argument) {
    free(first);
    (void)atomic_load(second);
    assert(unlucky);
    return argument;
}
static void *frees_second(void *argument) {
    free(second);
    (void)atomic_load(first);
    assert(unlucky);
    return argument;
}
int main(void) {
    pthread_t threads[2];
    first = calloc(1, sizeof *first);
    second = calloc(1, sizeof *second);
    pthread_create(&threads[0], NULL, frees_first, NULL);
    pthread_create(&threads[1], NULL, frees_second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
