// expect: uninitialised line 31
// selvedge: --check uninitialised --model rc11
// a structure is copied to others, and one of its members was never set
// also: --check uninitialised --model sc => uninitialised line 31
// also: --check uninitialised --model rc11 -- -DOTHER => verified
#include <pthread.h>
#include <stdlib.h>

struct pair {
    int one, other;
};

static struct pair shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writes(void *arg) {
    struct pair *fresh = malloc(sizeof *fresh);
    fresh->one = 1;
    pthread_mutex_lock(&mutex);
    shared = *fresh;
    pthread_mutex_unlock(&mutex);
    free(fresh);
    return arg;
}

static int member(void) {
    struct pair copy = shared;
#ifdef OTHER
    if (copy.one) return 2;
#else
    if (copy.other) return 2;
#endif
    return 3;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    pthread_mutex_lock(&mutex);
    int result = member();
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return result == 0;
}
