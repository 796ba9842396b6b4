// selvedge: --explorer vieq
// expect: assertion line 42
// a thread that waits in an atomic section lets others run: so nobody gives a lock back before its time
// also: --explorer se-mcr => assertion line 42
// also: --explorer se-mcr --patience 0 => assertion line 42
// also: --explorer mcr => assertion line 42
// also: --explorer optimal => assertion line 42
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *holds(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *section(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    pthread_mutex_lock(&mutex);
    x = 2;
    pthread_mutex_unlock(&mutex);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, holds, NULL);
    pthread_create(&other, NULL, section, NULL);
    assert(x != 1);
    return 0;
}
