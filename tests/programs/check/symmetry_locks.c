// expect: verified
// threads that run the same function, two pairs of them created in turns, and one that does something else; main looks at what
// is left when it has joined all
// also: --symmetry --explorer graph => verified
// also: --symmetry --explorer graph --model rc11 => verified
// also: --symmetry --explorer graph --model tso => verified
// also: --symmetry --explorer graph --allow data-race -- -DUNLOCKED => assertion line 55
// also: --symmetry --explorer graph --model rc11 --allow data-race -- -DUNLOCKED => assertion line 55
// also: --symmetry --explorer graph --model rc11 -- -DUNLOCKED => data-race line 21
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int seen;

static void *add(void *argument)
{
#ifdef UNLOCKED
    int value = counter;
    counter = value + 1;
#else
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
#endif
    return argument;
}

static void *look(void *argument)
{
    if (pthread_mutex_trylock(&mutex) == 0) {
        if (counter == 1)
            atomic_fetch_add(&seen, 1);
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

int main(void)
{
    pthread_t threads[4];
#ifdef UNLOCKED
    void *(*functions[4])(void *) = {add, add, add, add};
#else
    void *(*functions[4])(void *) = {add, look, add, look};
#endif
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, functions[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
#ifdef UNLOCKED
    (void)look;
    assert(counter == 4);
#else
    assert(counter == 2 && atomic_load(&seen) <= 2);
#endif
    return 0;
}
