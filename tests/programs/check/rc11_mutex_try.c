// expect: verified
// selvedge: --model rc11
// who tries and gets the mutex, has it
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => data-race line 25|30
//   the result is not looked at
// also: --model rc11 -- -DALWAYS => assertion line 31
//   it may be taken
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x, tried;

static void *worker(void *arg)
{
    int result = pthread_mutex_trylock(&mutex);
#ifdef BROKEN
    int mine = 1;
#else
    int mine = result == 0;
#endif
    if (mine) {
        tried = 1;
        x++;
    }
    if (result == 0)
        pthread_mutex_unlock(&mutex);
#ifdef ALWAYS
    else
        assert(0);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    assert(x == 1 + tried);
    return 0;
}
