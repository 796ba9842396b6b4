// selvedge: --model rc11
// expect: assertion line 26
// how large an object is depends on what its maker has read, though it is at the same address; asking for that is no operation
// also: --model sc --explorer graph => assertion line 26
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(char *) made;
atomic_int x, y;

static void *maker(void *argument) {
    int large = atomic_load(&y);
    atomic_store(&made, malloc(large ? 64 : 16));
    return argument;
}

static void *user(void *argument) {
    char *object = atomic_load(&made);
    if (object) {
        size_t size = malloc_usable_size(object);
        int seen = atomic_load(&x);
        // It is small if its maker comes before `main`.
        assert(seen != 1 || size >= 64);
    }
    return argument;
}

static void *other(void *argument) {
    atomic_store(&x, 1);
    return argument;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, maker, 0);
    pthread_create(&threads[1], 0, user, 0);
    pthread_create(&threads[2], 0, other, 0);
    atomic_store(&y, 1);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
