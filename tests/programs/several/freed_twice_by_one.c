// selvedge: --allow data-race
// lists: double-free line 8, use-after-free line 16, double-free line 17, double-free line 18
// one thread frees an object twice; another one may free it before either, and before it is used
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int *_Atomic shared;
static void *frees(void *argument) { free(shared); return argument; }
int main(void) {
    pthread_t thread;
    int *own;
    shared = calloc(1, sizeof *shared);
    pthread_create(&thread, NULL, frees, NULL);
    own = calloc(1, sizeof *own);
    shared = own;
    *own = 1;
    free(own);
    free(own);
    pthread_join(thread, NULL);
    return 0;
}
