// expect: verified
// a waiting loop that locks, looks at two variables and unlocks, while another thread toggles one of them
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static atomic_int other;

static void *waiter(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&mutex);
        int done = flag;
        int seen = atomic_load(&other);
        pthread_mutex_unlock(&mutex);
        if (done || seen == 7)
            return arg;
    }
}

static void *toggler(void *arg)
{
    atomic_store(&other, 1);
    atomic_store(&other, 0);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_create(&u, NULL, toggler, NULL);
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
