// selvedge: --explorer optimal
// expect: assertion line 32
// who cannot go on in the middle of an atomic section lets others run
// also: --explorer vieq => assertion line 32
// also: --explorer se-mcr => assertion line 32
// also: --explorer mcr --workers 1 => assertion line 32
// also: --explorer se-mcr --model tso => assertion line 32
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int x, y;

static void *one(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    pthread_mutex_lock(&lock);
    y = 1;
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    return arg;
}
static void *other(void *arg)
{
    pthread_mutex_lock(&lock);
    int first = x, second = y;
    assert(!(first == 1 && second == 0));
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
