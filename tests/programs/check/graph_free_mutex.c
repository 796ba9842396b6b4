// expect: use-after-free line 15
// selvedge: --allow data-race
// a mutex in memory that another thread frees
// also: --allow data-race --model rc11 => use-after-free line 15
// also: --allow data-race --explorer graph --model sc => use-after-free line 15
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;
static atomic_int taken;

static void *locks(void *arg) {
    taken = 1;
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return arg;
}

int main(void) {
    pthread_t thread;
    mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, 0);
    pthread_create(&thread, 0, locks, 0);
    if (!taken) free(mutex);
    pthread_join(thread, 0);
    return 0;
}
