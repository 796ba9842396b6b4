// selvedge: --explorer vieq
// expect: assertion line 36
// a thread goes on in an atomic section in which it has waited, and stops there: what the others would have done is explored
// also: --explorer se-mcr => assertion line 36
// also: --explorer se-mcr --patience 0 => assertion line 36
// also: --explorer mcr => assertion line 36
// also: --explorer exhaustive => assertion line 36
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x;
static sem_t semaphore;

static void *section(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    sem_wait(&semaphore);
    selvedge_assume(x == 2);
    __VERIFIER_atomic_end();
    return arg;
}

static void *posts(void *arg)
{
    pthread_t *thread = arg;
    sem_post(&semaphore);
    pthread_join(*thread, NULL);
    assert(x == 1);
    return NULL;
}

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    static pthread_t threads[3];
    sem_init(&semaphore, 0, 0);
    pthread_create(&threads[0], NULL, nothing, NULL);
    pthread_create(&threads[1], NULL, section, NULL);
    pthread_create(&threads[2], NULL, posts, &threads[0]);
    pthread_join(threads[1], NULL);
    return 0;
}
